# Formats a change as lines. The list has one section, its items have an id and a text, and the change is in
# stages with content; $old are the items before it.
def lines($old):
  ($old | map({key: (.id | tojson), value: .text}) | from_entries) as $was |
  .stages[][] |
  if .op == "deleteItems" then "- " + $old[.at[1] + range(.count)].text
  elif .op == "insertItems" then "+ " + .items[].text
  elif .op == "insertSections" then "+ " + .sections[].items[].text
  elif .op == "reconfigureItems" or .op == "reloadItems" then
    .items[] | "* \($was[.id | tojson]) → \(.text)"
  else empty end;
