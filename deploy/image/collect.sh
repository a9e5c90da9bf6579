# sh collect.sh FROM TO: moves what npm installed for the service to the places that the published package has (packages/server/build/published).
set -eu
from=$1
to=$2
mkdir -p "$to/bin" "$to/server"
# Of the package only the program is needed: 100 MB of headers and documentation stay behind.
mv "$from"/node_modules/node-linux-*/bin/node "$to/bin/node"
rm -rf "$from"/node_modules/node-linux-* "$from/node_modules/@ghostlight" "$from/node_modules/.bin"
mv "$from/node_modules" "$to/node_modules"
# Versions that differ from those of the other workspaces.
if [ -d "$from/packages/server/node_modules" ]; then mv "$from/packages/server/node_modules" "$to/server/node_modules"; fi
