"""Packs the extension for VS Code: `vsix.py OUT [PROGRAM]`, with the program in it if one is named.

It needs esbuild, which puts the client and the extension into one file.
"""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, Optional
from xml.sax.saxutils import quoteattr

sys.dont_write_bytecode = True
from archive import Entry, entry, write_zip  # noqa: E402

CLIENTS = Path(__file__).resolve().parents[1]
EXTENSION = CLIENTS / "node" / "vscode"
BUNDLE = ["--bundle", "--platform=node", "--format=cjs", "--target=node18", "--external:vscode", "--log-level=error"]
PROCESSORS = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension=".json" ContentType="application/json"/>\
<Default Extension=".js" ContentType="application/javascript"/>\
<Default Extension=".md" ContentType="text/markdown"/>\
<Default Extension=".txt" ContentType="text/plain"/>\
<Default Extension=".vsixmanifest" ContentType="text/xml"/>\
<Override PartName="/extension/listd" ContentType="application/octet-stream"/></Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}{target}/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>Other</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def pack(out: Path, program: Optional[Path] = None) -> None:
    """Writes the extension to a file."""
    about = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    processor = PROCESSORS.get(platform.machine().lower(), platform.machine())
    system = "darwin" if sys.platform == "darwin" else "linux"
    manifest = MANIFEST.format(
        name=quoteattr(about["name"]), version=quoteattr(about["version"]), publisher=quoteattr(about["publisher"]),
        target=f' TargetPlatform="{system}-{processor}"' if program else "", title=about["displayName"],
        description=about["description"], tags=",".join(about["keywords"]), engine=quoteattr(about["engines"]["vscode"]),
    )  # fmt: skip
    entries: Dict[str, Entry] = {
        "extension.vsixmanifest": Entry(manifest.encode()),
        "[Content_Types].xml": Entry(TYPES.encode()),
        "extension/package.json": entry(EXTENSION / "package.json"),
        "extension/README.md": entry(EXTENSION / "README.md"),
        "extension/LICENSE.txt": entry(CLIENTS.parent / "LICENSE"),
        "extension/extension.js": Entry(bundle()),
    }
    if program:
        entries["extension/listd"] = Entry(program.read_bytes(), True)
    write_zip(out, entries)


def bundle() -> bytes:
    """The extension as one file."""
    command = ["esbuild", str(EXTENSION / "extension.js"), *BUNDLE]
    return subprocess.run(command, cwd=CLIENTS, stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not shutil.which("esbuild"):
        sys.exit("usage: vsix.py OUT [PROGRAM], which needs esbuild")
    pack(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None)
