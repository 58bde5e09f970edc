# A session by the shell client of a checkout.

set -euo pipefail
source "$1/clients/shell/listd.bash"
listd_start
listd_call applySnapshot '{"list":"fruit","items":["apple","banana"]}' >/dev/null
counts=$(listd_call applySnapshot '{"list":"fruit","items":["banana","cherry"]}' | jq -c .counts.rows)
[[ $counts == '{"deletes":1,"inserts":1,"moves":0,"updates":0}' ]]
listd_stop
