#!/bin/sh
# `npm start`, and with --demo `npm run demo`. What installs and builds has ended before the server begins, and this shell
# becomes the server: beside it waits nothing but npm.
set -e
cd "$(dirname "$0")/.."
node scripts/run.mjs prepare
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
if [ "$1" = --demo ]; then
  shift
  # The agents wait for work most of the time: they need no room for fast allocation, nor a heap for each thread, and what
  # compiling leaves free goes back to the system. The server runs in the same process, and its PostgreSQL inherits it.
  export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=32768
  exec node --max-semi-space-size=1 --optimize-for-size examples/dist/program/main.js "$@"
fi
exec node apps/server/dist/program/main.js "$@"
