"""The JSON of the protocol as typed dictionaries, written by Tests/schema/generate.py from
Sources/ListServer/protocol.json.

`Change` is what a change is on the wire: what `wire` of a `listd.Change` holds. Dictionaries whose
members are a program's own, such as items, are mappings.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, TypedDict, Union


ID = Union[str, int]
"""An identifier. JavaScript clients need strings for integers beyond 2^53."""


RequestID = Union[str, float, None]
"""The `id` of a request, echoed byte for byte."""


Path = List[int]
"""The position of a row: the index of its section, and its index in the section."""


class Range(TypedDict):
    """Consecutive rows."""

    at: Path
    count: int


Format = Literal['stages', 'ops', 'jsonPatch', 'textEdits', 'none']
"""The encoding of a change."""


OpContents = Union[bool, Literal['both']]
"""The contents that ops have: none, the new ones, or also the old ones (0.2.0)."""


ItemKey = Union[str, List[str]]
"""The members that identify items without `id` (0.2.0)."""


Part = Union[str, int, Mapping[str, Any]]
"""A part of an item, which has its own row. Parts are not nested."""


ItemObject = Mapping[str, Any]
"""An item with its content."""


Item = Union[str, int, "ItemObject"]
"""An item. A string or an integer is short for `{"text": …}` with itself as the identifier."""


_PartRowRequired = TypedDict("_PartRowRequired", {
    "$part": "Part",
    "$item": Mapping[str, Any],
})


class PartRow(_PartRowRequired):
    """A row that shows a part of an item."""


OutlineItem = Mapping[str, Any]
"""An item of a view that is an outline, with its own members."""


ShownItem = Union["Item", "OutlineItem"]
"""An item as a list shows it."""


RowContent = Union["ShownItem", "PartRow"]
"""The content of a row."""


SelectionMode = Literal['none', 'single', 'multiple']
"""How many items of a section can be selected."""


SectionOwn = Mapping[str, Any]
"""The own members of a section."""


Section = Mapping[str, Any]
"""A section with its items."""


GivenSection = Mapping[str, Any]
"""A section of an edit; `items` may be left out."""


SectionUpdate = Mapping[str, Any]
"""New own members of a section."""


RowSection = Mapping[str, Any]
"""A section with its rows."""


ShownSection = Mapping[str, Any]
"""A section with its items as a list shows them."""


Snapshot = Union["SnapshotSections", "SnapshotItems"]
"""The content of a list."""


class SnapshotSections(TypedDict):
    """Snapshot: sections."""

    sections: List[Section]


class SnapshotItems(TypedDict):
    """Snapshot: items."""

    items: List[Item]


class _ListRefRequired(TypedDict):
    list: str


class _ListRefOptional(TypedDict, total=False):
    revision: int
    edits: List[Edit]


class ListRef(_ListRefRequired, _ListRefOptional):
    """A revision of a list."""


SnapshotRef = Union["Snapshot", "ListRef"]
"""A snapshot, or a list that has it."""


ItemRef = Union["ID", "ItemRefId", "ItemRefPath", "ItemRefLineTextRevision"]
"""A reference to an item."""


class _ItemRefIdRequired(TypedDict):
    id: ID


class _ItemRefIdOptional(TypedDict, total=False):
    occurrence: int
    source: str


class ItemRefId(_ItemRefIdRequired, _ItemRefIdOptional):
    """Item: ref id."""


class _ItemRefPathRequired(TypedDict):
    path: Path


class _ItemRefPathOptional(TypedDict, total=False):
    revision: int


class ItemRefPath(_ItemRefPathRequired, _ItemRefPathOptional):
    """Item: ref path."""


class ItemRefLineTextRevision(TypedDict):
    """Item: ref line text revision."""

    line: int
    textRevision: int


Edit = Union[
    "EditAppendItems",
    "EditInsertItemsBefore",
    "EditInsertItemsAfter",
    "EditInsertItems",
    "EditDeleteItems",
    "EditMoveItemsBefore",
    "EditMoveItemsAfter",
    "EditMoveItemsSection",
    "EditUpdateItems",
    "EditAppendSections",
    "EditInsertSectionsBefore",
    "EditInsertSectionsAfter",
    "EditDeleteSections",
    "EditMoveSectionBefore",
    "EditMoveSectionAfter",
    "EditUpdateSections",
    "EditDeleteAllItems",
    "OutlineEdit",
]  # fmt: skip
"""An edit of a list."""


class _EditAppendItemsRequired(TypedDict):
    edit: Literal['appendItems', 'putItems']
    items: List[Item]


class _EditAppendItemsOptional(TypedDict, total=False):
    section: ID


class EditAppendItems(_EditAppendItemsRequired, _EditAppendItemsOptional):
    """Edit: append items."""


class EditInsertItemsBefore(TypedDict):
    """Edit: insert items before."""

    edit: Literal['insertItems']
    items: List[Item]
    before: ItemRef


class EditInsertItemsAfter(TypedDict):
    """Edit: insert items after."""

    edit: Literal['insertItems']
    items: List[Item]
    after: ItemRef


class EditInsertItems(TypedDict):
    """Edit: insert items."""

    edit: Literal['insertItems']
    items: List[NewFile]


class EditDeleteItems(TypedDict):
    """Edit: delete items."""

    edit: Literal['deleteItems', 'reloadItems', 'reconfigureItems']
    items: List[ItemRef]


class EditMoveItemsBefore(TypedDict):
    """Edit: move items before."""

    edit: Literal['moveItems']
    items: List[ItemRef]
    before: ItemRef


class EditMoveItemsAfter(TypedDict):
    """Edit: move items after."""

    edit: Literal['moveItems']
    items: List[ItemRef]
    after: ItemRef


class EditMoveItemsSection(TypedDict):
    """Edit: move items section."""

    edit: Literal['moveItems']
    items: List[ItemRef]
    section: ID


class EditUpdateItems(TypedDict):
    """Edit: update items."""

    edit: Literal['updateItems']
    items: List[Item]


class EditAppendSections(TypedDict):
    """Edit: append sections."""

    edit: Literal['appendSections']
    sections: List[GivenSection]


class EditInsertSectionsBefore(TypedDict):
    """Edit: insert sections before."""

    edit: Literal['insertSections']
    sections: List[GivenSection]
    before: ID


class EditInsertSectionsAfter(TypedDict):
    """Edit: insert sections after."""

    edit: Literal['insertSections']
    sections: List[GivenSection]
    after: ID


class EditDeleteSections(TypedDict):
    """Edit: delete sections."""

    edit: Literal['deleteSections', 'reloadSections', 'reconfigureSections']
    sections: List[ID]


class EditMoveSectionBefore(TypedDict):
    """Edit: move section before."""

    edit: Literal['moveSection']
    section: ID
    before: ID


class EditMoveSectionAfter(TypedDict):
    """Edit: move section after."""

    edit: Literal['moveSection']
    section: ID
    after: ID


class EditUpdateSections(TypedDict):
    """Edit: update sections."""

    edit: Literal['updateSections']
    sections: List[SectionUpdate]


class EditDeleteAllItems(TypedDict):
    """Edit: delete all items."""

    edit: Literal['deleteAllItems']


OutlineEdit = Union["OutlineEditExpandItems", "OutlineEditRevealItems", "OutlineEditExpandAll"]
"""An edit of what an outline shows."""


class _OutlineEditExpandItemsRequired(TypedDict):
    edit: Literal['expandItems', 'collapseItems']
    items: List[ItemRef]


class _OutlineEditExpandItemsOptional(TypedDict, total=False):
    deep: bool


class OutlineEditExpandItems(_OutlineEditExpandItemsRequired, _OutlineEditExpandItemsOptional):
    """Outline: edit expand items."""


class OutlineEditRevealItems(TypedDict):
    """Outline: edit reveal items."""

    edit: Literal['revealItems']
    items: List[ItemRef]


class OutlineEditExpandAll(TypedDict):
    """Outline: edit expand all."""

    edit: Literal['expandAll', 'collapseAll']


Op = Union[
    "OpDeleteSections",
    "OpInsertSections",
    "OpMoveSections",
    "OpDeleteItems",
    "OpInsertItems",
    "OpMoveItems",
    "OpReloadSections",
    "OpReloadItems",
]  # fmt: skip
"""An operation on consecutive rows or sections."""


class _OpDeleteSectionsRequired(TypedDict):
    op: Literal['deleteSections']
    at: int
    count: int


class _OpDeleteSectionsOptional(TypedDict, total=False):
    old: List[RowSection]


class OpDeleteSections(_OpDeleteSectionsRequired, _OpDeleteSectionsOptional):
    """Op: delete sections."""


class _OpInsertSectionsRequired(TypedDict):
    op: Literal['insertSections']
    at: int
    count: int
    rows: List[int]


class _OpInsertSectionsOptional(TypedDict, total=False):
    sections: List[RowSection]


class OpInsertSections(_OpInsertSectionsRequired, _OpInsertSectionsOptional):
    """Op: insert sections."""


_OpMoveSectionsRequired = TypedDict("_OpMoveSectionsRequired", {
    "op": Literal['moveSections'],
    "from": int,
    "to": int,
    "count": int,
})


class OpMoveSections(_OpMoveSectionsRequired):
    """Op: move sections."""


class _OpDeleteItemsRequired(TypedDict):
    op: Literal['deleteItems']
    at: Path
    count: int


class _OpDeleteItemsOptional(TypedDict, total=False):
    old: List[RowContent]


class OpDeleteItems(_OpDeleteItemsRequired, _OpDeleteItemsOptional):
    """Op: delete items."""


class _OpInsertItemsRequired(TypedDict):
    op: Literal['insertItems']
    at: Path
    count: int


class _OpInsertItemsOptional(TypedDict, total=False):
    items: List[RowContent]


class OpInsertItems(_OpInsertItemsRequired, _OpInsertItemsOptional):
    """Op: insert items."""


_OpMoveItemsRequired = TypedDict("_OpMoveItemsRequired", {
    "op": Literal['moveItems'],
    "from": "Path",
    "to": "Path",
    "count": int,
})


class OpMoveItems(_OpMoveItemsRequired):
    """Op: move items."""


class _OpReloadSectionsRequired(TypedDict):
    op: Literal['reloadSections', 'reconfigureSections']
    at: int
    count: int


class _OpReloadSectionsOptional(TypedDict, total=False):
    sections: List[SectionOwn]
    old: List[SectionOwn]


class OpReloadSections(_OpReloadSectionsRequired, _OpReloadSectionsOptional):
    """Op: reload sections."""


class _OpReloadItemsRequired(TypedDict):
    op: Literal['reloadItems', 'reconfigureItems']
    at: Path
    count: int


class _OpReloadItemsOptional(TypedDict, total=False):
    items: List[RowContent]
    old: List[RowContent]


class OpReloadItems(_OpReloadItemsRequired, _OpReloadItemsOptional):
    """Op: reload items."""


Stage = List["Op"]
"""Operations that happen at once."""


class SelectionOp(TypedDict):
    """Rows that are selected or deselected."""

    op: Literal['selectItems', 'deselectItems']
    at: Path
    count: int


PatchOp = Union["PatchOpAdd", "PatchOpRemove", "PatchOpMove"]
"""An operation of a JSON Patch (RFC 6902)."""


class PatchOpAdd(TypedDict):
    """Patch: op add."""

    op: Literal['add', 'replace']
    path: str
    value: Any


class PatchOpRemove(TypedDict):
    """Patch: op remove."""

    op: Literal['remove']
    path: str


_PatchOpMoveRequired = TypedDict("_PatchOpMoveRequired", {
    "op": Literal['move'],
    "from": str,
    "path": str,
})


class PatchOpMove(_PatchOpMoveRequired):
    """Patch: op move."""


class Position(TypedDict):
    """The start of a line."""

    line: int
    character: Literal[0]


class TextEdit(TypedDict):
    """A text edit of the Language Server Protocol, of whole lines."""

    range: TextEditRange
    newText: str


class TextEditRange(TypedDict):
    """Text: edit range."""

    start: Position
    end: Position


class TextSpan(TypedDict):
    """A part of a line that belongs to a highlight group."""

    line: int
    start: int
    end: int
    group: str


_LineMoveRequired = TypedDict("_LineMoveRequired", {
    "from": int,
    "to": int,
    "count": int,
})


class LineMove(_LineMoveRequired):
    """Lines of the old text that are deleted there and inserted elsewhere, because their rows moved."""


LineRange = List[int]
"""A range of lines; its end is exclusive."""


class Counts(TypedDict):
    """The numbers of rows or sections that changed."""

    deletes: int
    inserts: int
    moves: int
    updates: int


class ChangeCounts(TypedDict):
    """The counts of a change."""

    rows: Counts
    sections: Counts


class _DifferenceRequired(TypedDict):
    format: Format


class _DifferenceOptional(TypedDict, total=False):
    baseRevision: int
    revision: int
    stages: List[Stage]
    ops: List[Op]
    jsonPatch: List[PatchOp]
    textEdits: List[TextEdit]
    reload: Literal[True]
    counts: ChangeCounts
    moves: List[LineMove]
    spans: List[TextSpan]


class Difference(_DifferenceRequired, _DifferenceOptional):
    """The difference between two snapshots, in the member that has the name of the format."""


class _ViewNumbersRequired(TypedDict):
    start: int
    matched: int
    total: int


class _ViewNumbersOptional(TypedDict, total=False):
    shown: int


class ViewNumbers(_ViewNumbersRequired, _ViewNumbersOptional):
    """The definition of a view."""


class _StateRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]


class _StateOptional(TypedDict, total=False):
    view: ViewNumbers


class State(_StateRequired, _StateOptional):
    """The selection and the cursor."""


class TextState(TypedDict, total=False):
    """What accompanies text edits."""

    baseTextRevision: int
    textRevision: int
    cursorLine: Union[int, None]
    selectedLines: List[LineRange]


class _DeselectedRequired(TypedDict):
    at: Path
    gone: bool


class _DeselectedOptional(TypedDict, total=False):
    id: ID


class Deselected(_DeselectedRequired, _DeselectedOptional):
    """An item that left the selection."""


class _ChangeRequired(TypedDict):
    baseRevision: int
    revision: int
    format: Format
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    deselected: List[Deselected]


class _ChangeOptional(TypedDict, total=False):
    stages: List[Stage]
    ops: List[Op]
    jsonPatch: List[PatchOp]
    textEdits: List[TextEdit]
    reload: Literal[True]
    counts: ChangeCounts
    moves: List[LineMove]
    spans: List[TextSpan]
    view: ViewNumbers
    baseTextRevision: int
    textRevision: int
    cursorLine: Union[int, None]
    selectedLines: List[LineRange]


class Change(_ChangeRequired, _ChangeOptional):
    """A change of a list, and its selection and cursor after it."""


class _SelectedRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    revision: int
    format: Literal['ops', 'textEdits', 'none']


class _SelectedOptional(TypedDict, total=False):
    view: ViewNumbers
    baseTextRevision: int
    textRevision: int
    cursorLine: Union[int, None]
    selectedLines: List[LineRange]
    ops: List[SelectionOp]
    textEdits: List[TextEdit]
    moves: List[LineMove]
    spans: List[TextSpan]


class Selected(_SelectedRequired, _SelectedOptional):
    """A change of the selection or the cursor."""


Member = str
"""The name of a member. `a.b` is the member with this name, or if there is none, the member `b` of `a`. Of a bare item, `text` and `id` are its value. Names that begin with `$` are those of the place."""


Condition = Union[
    "ConditionAll",
    "ConditionAny",
    "ConditionNot",
    "ConditionIs",
    "ConditionIn",
    "ConditionFromTo",
    "ConditionContains",
    "ConditionExists",
]  # fmt: skip
"""A condition on items."""


class ConditionAll(TypedDict):
    """Condition: all."""

    all: List[Condition]


class ConditionAny(TypedDict):
    """Condition: any."""

    any: List[Condition]


_ConditionNotRequired = TypedDict("_ConditionNotRequired", {
    "not": "Condition",
})


class ConditionNot(_ConditionNotRequired):
    """Condition: not."""


_ConditionIsRequired = TypedDict("_ConditionIsRequired", {
    "member": "Member",
    "is": Any,
})


class ConditionIs(_ConditionIsRequired):
    """Condition: is."""


_ConditionInRequired = TypedDict("_ConditionInRequired", {
    "member": "Member",
    "in": List[Any],
})


class ConditionIn(_ConditionInRequired):
    """Condition: in."""


class _ConditionFromToRequired(TypedDict):
    member: Member


_ConditionFromToOptional = TypedDict("_ConditionFromToOptional", {
    "from": "Bound",
    "to": "Bound",
}, total=False)


class ConditionFromTo(_ConditionFromToRequired, _ConditionFromToOptional):
    """Condition: from to."""


class ConditionContains(TypedDict):
    """Condition: contains."""

    member: Member
    contains: Any


class ConditionExists(TypedDict):
    """Condition: exists."""

    member: Member
    exists: bool


Bound = Union[str, float, bool]
"""A bound of a range of values."""


class _SortKeyRequired(TypedDict):
    by: Member


_SortKeyOptional = TypedDict("_SortKeyOptional", {
    "order": Literal['ascending', 'descending'],
    "as": Literal['value', 'natural'],
}, total=False)


class SortKey(_SortKeyRequired, _SortKeyOptional):
    """A key by which a view is sorted."""


class _MatchRequired(TypedDict):
    query: str


class _MatchOptional(TypedDict, total=False):
    members: List[Member]
    case: Literal['smart', 'ignore', 'respect']


class Match(_MatchRequired, _MatchOptional):
    """A query, and the members that are searched."""


class _TreeRequired(TypedDict):
    parent: Member


class _TreeOptional(TypedDict, total=False):
    open: Union[Literal['none', 'all'], int]


class Tree(_TreeRequired, _TreeOptional):
    """The definition of an outline."""


class View(TypedDict, total=False):
    """A view, always applied in this order."""

    where: Condition
    match: Match
    distinct: Member
    tree: Tree
    sort: List[SortKey]
    sections: Union[Literal['keep', 'merge'], ViewSectionsBy]
    window: ViewWindow
    selection: Literal['own', 'source']
    selectionMode: SelectionMode
    allowsEmptySelection: bool


class ViewSectionsBy(TypedDict):
    """View: sections by."""

    by: Member


class _ViewWindowRequired(TypedDict):
    count: int


class _ViewWindowOptional(TypedDict, total=False):
    start: Union[int, ViewWindowStartItem]


class ViewWindow(_ViewWindowRequired, _ViewWindowOptional):
    """View: window."""


class _ViewWindowStartItemRequired(TypedDict):
    item: ItemRef


class _ViewWindowStartItemOptional(TypedDict, total=False):
    before: int


class ViewWindowStartItem(_ViewWindowStartItemRequired, _ViewWindowStartItemOptional):
    """View: window start item."""


class _ListTextRequired(TypedDict):
    list: str
    revision: int
    textRevision: int
    text: str
    cursorLine: Union[int, None]


class _ListTextOptional(TypedDict, total=False):
    view: ViewNumbers
    start: int
    lineCount: int
    spans: List[TextSpan]
    selectedLines: List[LineRange]


class ListText(_ListTextRequired, _ListTextOptional):
    """A list as text."""


class _ListSelectionRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    revision: int
    items: List[ShownItem]


class _ListSelectionOptional(TypedDict, total=False):
    view: ViewNumbers


class ListSelection(_ListSelectionRequired, _ListSelectionOptional):
    """The selected items of a list."""


class _WholeListRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    revision: int
    sections: List[ShownSection]


class _WholeListOptional(TypedDict, total=False):
    view: ViewNumbers


class WholeList(_WholeListRequired, _WholeListOptional):
    """A whole snapshot of a list."""


class _RowWindowRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    revision: int
    total: int
    start: int
    rows: List[RowWindowRows]


class _RowWindowOptional(TypedDict, total=False):
    view: ViewNumbers


class RowWindow(_RowWindowRequired, _RowWindowOptional):
    """Some rows of a list, counted through all sections."""


class RowWindowRows(TypedDict):
    """Row: window rows."""

    at: Path
    content: RowContent


class _SubscribedRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    revision: int
    snapshot: SubscribedSnapshot


class _SubscribedOptional(TypedDict, total=False):
    view: ViewNumbers


class Subscribed(_SubscribedRequired, _SubscribedOptional):
    """A list as it is when a subscription begins."""


class SubscribedSnapshot(TypedDict):
    """Subscribed: snapshot."""

    sections: List[ShownSection]


class _SubscribedTextRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    revision: int
    textRevision: int
    cursorLine: Union[int, None]
    text: str


class _SubscribedTextOptional(TypedDict, total=False):
    view: ViewNumbers
    spans: List[TextSpan]
    selectedLines: List[LineRange]


class SubscribedText(_SubscribedTextRequired, _SubscribedTextOptional):
    """A text as it is when a subscription begins."""


class _TextSinceRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    revision: int
    textRevision: int
    cursorLine: Union[int, None]
    format: Literal['textEdits']
    textEdits: List[TextEdit]
    baseTextRevision: int
    moves: List[LineMove]


class _TextSinceOptional(TypedDict, total=False):
    view: ViewNumbers
    spans: List[TextSpan]
    selectedLines: List[LineRange]


class TextSince(_TextSinceRequired, _TextSinceOptional):
    """The edits since a text that the subscriber has."""


class _ListedRequired(TypedDict):
    list: str
    revision: int
    sections: int
    items: int
    rows: int
    selected: int


class _ListedOptional(TypedDict, total=False):
    sources: List[str]
    view: ViewNumbers
    definition: View
    feed: Feed
    state: FeedState
    reading: bool


class Listed(_ListedRequired, _ListedOptional):
    """A list and its sizes."""


Feed = Union["CommandFeed", "FileFeed", "FolderFeed"]
"""What the daemon fills a list with."""


class _CommandFeedRequired(TypedDict):
    command: List[str]


class _CommandFeedOptional(TypedDict, total=False):
    cwd: str
    env: Dict[str, Union[str, None]]
    format: RowFormat
    every: int


class CommandFeed(_CommandFeedRequired, _CommandFeedOptional):
    """The output of a command."""


class _FileFeedRequired(TypedDict):
    file: str


class _FileFeedOptional(TypedDict, total=False):
    format: RowFormat
    follow: bool


class FileFeed(_FileFeedRequired, _FileFeedOptional):
    """The rows of a file."""


class _FolderFeedRequired(TypedDict):
    folder: str


class _FolderFeedOptional(TypedDict, total=False):
    depth: Union[int, Literal['all', 'lazy']]
    hidden: bool
    ignored: bool
    watch: bool
    templates: bool
    identity: Literal['file', 'name']


class FolderFeed(_FolderFeedRequired, _FolderFeedOptional):
    """The files of a folder."""


class _NewFileRequired(TypedDict):
    name: str
    type: Literal['file', 'folder']


class _NewFileOptional(TypedDict, total=False):
    parent: str


class NewFile(_NewFileRequired, _NewFileOptional):
    """An empty file or folder that is made in a folder."""


class FolderPlan(TypedDict):
    """What the edit of a folder would do."""

    changes: List[FileChange]
    problems: List[FileProblem]


_FileChangeRequired = TypedDict("_FileChangeRequired", {
    "id": Union[str, None],
    "from": Union[str, None],
    "to": Union[str, None],
})


class FileChange(_FileChangeRequired):
    """A file and its paths."""


class FileProblem(TypedDict):
    """Why a file cannot be changed."""

    id: Union[str, None]
    reason: str


RowFormat = Literal['lines', 'ndjson', 'csv', 'tsv', 'json']
"""The format of rows."""


KeyPart = Union[str, int]
"""The name of a member or column, or the number of a field or column."""


class _FeedStateRequired(TypedDict):
    running: bool
    items: int


class _FeedStateOptional(TypedDict, total=False):
    exitCode: int
    signal: str
    error: str
    stale: bool


class FeedState(_FeedStateRequired, _FeedStateOptional):
    """How a feed is doing."""


class FedList(TypedDict):
    """A list and its feed."""

    list: str
    revision: int
    state: Union[FeedState, None]


class _ItemMatchRequired(TypedDict):
    score: int
    ranges: Dict[str, List[List[int]]]


class _ItemMatchOptional(TypedDict, total=False):
    spans: List[ItemMatchSpans]


class ItemMatch(_ItemMatchRequired, _ItemMatchOptional):
    """The score of a match, and what was matched."""


class ItemMatchSpans(TypedDict):
    """Item: match spans."""

    line: int
    start: int
    end: int


class Lines(TypedDict, total=False):
    """The lines of an item or a row, and how it matches."""

    line: int
    lineCount: int
    match: Union[ItemMatch, None]


class _FoundItemRequired(TypedDict):
    at: Path
    sectionId: ID


class _FoundItemOptional(TypedDict, total=False):
    line: int
    lineCount: int
    match: Union[ItemMatch, None]


class FoundItem(_FoundItemRequired, _FoundItemOptional):
    """The position of an item."""


class _FoundRowRequired(TypedDict):
    occurrence: int
    content: RowContent
    sectionId: ID


class _FoundRowOptional(TypedDict, total=False):
    line: int
    lineCount: int
    match: Union[ItemMatch, None]
    id: ID


class FoundRow(_FoundRowRequired, _FoundRowOptional):
    """The row at a path."""


FoundLine = Union[
    "FoundLineAtSectionId",
    "FoundLineSectionHeaderSectionId",
    "FoundLineSectionFooterSectionId",
]  # fmt: skip
"""The row, header or footer that a line belongs to."""


class _FoundLineAtSectionIdRequired(TypedDict):
    at: Path
    sectionId: ID


class _FoundLineAtSectionIdOptional(TypedDict, total=False):
    match: Union[ItemMatch, None]


class FoundLineAtSectionId(_FoundLineAtSectionIdRequired, _FoundLineAtSectionIdOptional):
    """Found: line at section id."""


class _FoundLineSectionHeaderSectionIdRequired(TypedDict):
    section: int
    header: Literal[True]
    sectionId: ID


class _FoundLineSectionHeaderSectionIdOptional(TypedDict, total=False):
    match: Union[ItemMatch, None]


class FoundLineSectionHeaderSectionId(_FoundLineSectionHeaderSectionIdRequired, _FoundLineSectionHeaderSectionIdOptional):
    """Found: line section header section id."""


class _FoundLineSectionFooterSectionIdRequired(TypedDict):
    section: int
    footer: Literal[True]
    sectionId: ID


class _FoundLineSectionFooterSectionIdOptional(TypedDict, total=False):
    match: Union[ItemMatch, None]


class FoundLineSectionFooterSectionId(_FoundLineSectionFooterSectionIdRequired, _FoundLineSectionFooterSectionIdOptional):
    """Found: line section footer section id."""


class _FoundRequired(TypedDict):
    at: Path
    score: int
    sectionId: ID


class _FoundOptional(TypedDict, total=False):
    id: ID


class Found(_FoundRequired, _FoundOptional):
    """An item that a search has found."""


class _LocatedRequired(TypedDict):
    list: str
    revision: int


class _LocatedOptional(TypedDict, total=False):
    matches: List[Found]
    total: int
    items: List[Union[FoundItem, None]]
    paths: List[Union[FoundRow, None]]
    sections: List[Union[int, None]]
    lines: List[Union[FoundLine, None]]


class Located(_LocatedRequired, _LocatedOptional):
    """An answer for each item, path, section and line; null if there is none."""


class Capabilities(TypedDict):
    """The capabilities of the daemon."""

    methods: List[str]
    formats: List[Format]
    features: List[str]
    maxMessageBytes: int
    positionEncoding: Literal['utf-8', 'utf-16', 'utf-32']


class _DidChangeRequired(TypedDict):
    baseRevision: int
    revision: int
    format: Format
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    deselected: List[Deselected]


class _DidChangeOptional(TypedDict, total=False):
    stages: List[Stage]
    ops: List[Op]
    jsonPatch: List[PatchOp]
    textEdits: List[TextEdit]
    reload: Literal[True]
    counts: ChangeCounts
    moves: List[LineMove]
    spans: List[TextSpan]
    view: ViewNumbers
    baseTextRevision: int
    textRevision: int
    cursorLine: Union[int, None]
    selectedLines: List[LineRange]
    request: RequestID


class DidChange(_DidChangeRequired, _DidChangeOptional):
    """A change of a list, or of its text."""


class _DidSelectRequired(TypedDict):
    selection: List[Range]
    cursor: Union[Path, None]
    list: str
    ops: List[SelectionOp]


class _DidSelectOptional(TypedDict, total=False):
    view: ViewNumbers
    baseTextRevision: int
    textRevision: int
    cursorLine: Union[int, None]
    selectedLines: List[LineRange]
    revision: int
    format: Literal['textEdits']
    request: RequestID


class DidSelect(_DidSelectRequired, _DidSelectOptional):
    """A change of the selection or the cursor alone."""


Progress = Union["ProgressBegin", "ProgressReport", "ProgressEnd"]
"""The progress of a request."""


class _ProgressBeginRequired(TypedDict):
    kind: Literal['begin']
    title: str
    cancellable: bool


class _ProgressBeginOptional(TypedDict, total=False):
    message: str
    percentage: int


class ProgressBegin(_ProgressBeginRequired, _ProgressBeginOptional):
    """Progress: begin."""


class _ProgressReportRequired(TypedDict):
    kind: Literal['report']


class _ProgressReportOptional(TypedDict, total=False):
    message: str
    percentage: int


class ProgressReport(_ProgressReportRequired, _ProgressReportOptional):
    """Progress: report."""


class _ProgressEndRequired(TypedDict):
    kind: Literal['end']


class _ProgressEndOptional(TypedDict, total=False):
    message: str


class ProgressEnd(_ProgressEndRequired, _ProgressEndOptional):
    """Progress: end."""


ProgressToken = Union[str, int]
"""The token of the progress of a request."""


class SetTraceParams(TypedDict):
    """The params of `$/setTrace`."""

    value: Literal['off', 'messages', 'verbose']


class CancelRequestParams(TypedDict):
    """The params of `$/cancelRequest`."""

    id: RequestID


class _ApplySnapshotParamsRequired(TypedDict):
    list: str


class _ApplySnapshotParamsOptional(TypedDict, total=False):
    sections: List[Section]
    items: List[Item]
    snapshot: SnapshotRef
    key: ItemKey
    latest: bool
    baseRevision: int
    format: Format
    content: OpContents
    moves: bool
    maxOps: int
    selected: List[ItemRef]
    cursor: Union[ItemRef, None]
    cursorPolicy: Literal['follow', 'stay', 'first']
    spans: bool
    selectedLines: bool


class ApplySnapshotParams(_ApplySnapshotParamsRequired, _ApplySnapshotParamsOptional):
    """The params of `applySnapshot`."""


class _EditSnapshotParamsRequired(TypedDict):
    list: str
    edits: List[Edit]


class _EditSnapshotParamsOptional(TypedDict, total=False):
    key: ItemKey
    baseRevision: int
    format: Format
    content: OpContents
    moves: bool
    maxOps: int
    selected: List[ItemRef]
    cursor: Union[ItemRef, None]
    cursorPolicy: Literal['follow', 'stay', 'first']
    spans: bool
    selectedLines: bool
    dryRun: bool


class EditSnapshotParams(_EditSnapshotParamsRequired, _EditSnapshotParamsOptional):
    """The params of `editSnapshot`."""


_DiffParamsRequired = TypedDict("_DiffParamsRequired", {
    "from": "SnapshotRef",
    "to": "SnapshotRef",
})


class _DiffParamsOptional(TypedDict, total=False):
    key: ItemKey
    format: Format
    content: OpContents
    moves: bool
    maxOps: int
    spans: bool


class DiffParams(_DiffParamsRequired, _DiffParamsOptional):
    """The params of `diff`."""


class RemoveListParams(TypedDict):
    """The params of `removeList`."""

    list: str


_FeedParamsRequired = TypedDict("_FeedParamsRequired", {
    "list": str,
    "from": Union["Feed", None],
})


class _FeedParamsOptional(TypedDict, total=False):
    key: Union[KeyPart, List[KeyPart]]
    allowsEdits: bool
    selectionMode: SelectionMode
    allowsEmptySelection: bool


class FeedParams(_FeedParamsRequired, _FeedParamsOptional):
    """The params of `feed`."""


class _SelectParamsRequired(TypedDict):
    list: str


class _SelectParamsOptional(TypedDict, total=False):
    action: Literal['toggle', 'select', 'deselect', 'replace', 'extend', 'all', 'none', 'invert']
    items: List[ItemRef]
    section: ID
    cursor: Union[ItemRef, None]
    format: Literal['ops', 'textEdits', 'none']
    spans: bool
    selectedLines: bool


class SelectParams(_SelectParamsRequired, _SelectParamsOptional):
    """The params of `select`."""


class GetSelectionParams(TypedDict):
    """The params of `getSelection`."""

    list: str


class _GetSnapshotParamsRequired(TypedDict):
    list: str


class _GetSnapshotParamsOptional(TypedDict, total=False):
    revision: int
    window: GetSnapshotParamsWindow
    members: List[str]


class GetSnapshotParams(_GetSnapshotParamsRequired, _GetSnapshotParamsOptional):
    """The params of `getSnapshot`."""


class GetSnapshotParamsWindow(TypedDict):
    """Get: snapshot params window."""

    start: int
    count: int


class _LocateParamsRequired(TypedDict):
    list: str


_LocateParamsOptional = TypedDict("_LocateParamsOptional", {
    "items": List["ItemRef"],
    "paths": List["Path"],
    "sections": List["ID"],
    "lines": List[int],
    "text": bool,
    "match": Union["Match", bool],
    "from": "ItemRef",
    "direction": Literal['forward', 'backward'],
    "count": int,
}, total=False)


class LocateParams(_LocateParamsRequired, _LocateParamsOptional):
    """The params of `locate`."""


class _ComposeParamsRequired(TypedDict):
    list: str


class _ComposeParamsOptional(TypedDict, total=False):
    sources: List[str]
    view: Union[View, None]
    latest: bool
    temporary: bool
    baseRevision: int
    format: Format
    content: OpContents
    moves: bool
    maxOps: int
    selected: List[ItemRef]
    cursor: Union[ItemRef, None]
    cursorPolicy: Literal['follow', 'stay', 'first']
    spans: bool
    selectedLines: bool


class ComposeParams(_ComposeParamsRequired, _ComposeParamsOptional):
    """The params of `compose`."""


class _SubscribeParamsRequired(TypedDict):
    list: str


class _SubscribeParamsOptional(TypedDict, total=False):
    format: Format
    content: OpContents
    moves: bool
    members: List[str]
    maxOps: int
    since: int
    spans: bool
    selectedLines: bool
    sinceText: int


class SubscribeParams(_SubscribeParamsRequired, _SubscribeParamsOptional):
    """The params of `subscribe`."""


class UnsubscribeParams(TypedDict):
    """The params of `unsubscribe`."""

    list: str


class _RegisterTemplatesParamsRequired(TypedDict):
    templates: Dict[str, str]


class _RegisterTemplatesParamsOptional(TypedDict, total=False):
    list: str


class RegisterTemplatesParams(_RegisterTemplatesParamsRequired, _RegisterTemplatesParamsOptional):
    """The params of `registerTemplates`."""


class _GetTextParamsRequired(TypedDict):
    list: str


class _GetTextParamsOptional(TypedDict, total=False):
    spans: bool
    selectedLines: bool
    lines: GetTextParamsLines


class GetTextParams(_GetTextParamsRequired, _GetTextParamsOptional):
    """The params of `getText`."""


class GetTextParamsLines(TypedDict):
    """Get: text params lines."""

    start: int
    count: int
