# What a newcomer does who has Node, npm and the package, and nothing else.
set -euo pipefail
cd /project
npm init --yes > /dev/null
npm install --offline --no-audit --no-fund ./upkeep.tgz
cat > app.mjs << 'PROGRAM'
import { createServer } from 'node:http'
createServer((req, res) => res.end('hello')).listen(3000, '127.0.0.1')
PROGRAM
UPKEEP_TOKEN=s3cret UPKEEP_HOST=127.0.0.1 node --import upkeep/auto app.mjs 2> app.log &
until npx upkeep probe http://127.0.0.1:8690/livez 2> /dev/null; do :; done
npx upkeep contract http://127.0.0.1:8690/management --token s3cret | tail -1
npx upkeep doctor http://127.0.0.1:8690 --token s3cret | tail -1
npx upkeep docs start/zero-code | head -1
kill %1
wait
