#!/usr/bin/env bash
# A throw-away PostgreSQL on a free loopback port, for tests and benchmarks.
#
#   scripts/postgres.sh run COMMAND…   start one, run COMMAND with RATEBOOK_TEST_DATABASE_URL set, stop it
#   scripts/postgres.sh start FOLDER   start one in FOLDER and print its URL
#   scripts/postgres.sh stop FOLDER    stop it and remove FOLDER
set -euo pipefail

# PostgreSQL refuses to run as root, so root hands it to another user.
owner=${POSTGRES_OWNER:-postgres}
as_owner() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u "$owner" -- "$@"); else "$@"; fi; }

# Debian keeps the server's programs out of PATH, one folder to a version; the newest is wanted.
programs=$(dirname "$(command -v initdb || find /usr/lib/postgresql -name initdb 2>/dev/null | sort -V | tail -1)")
[ -x "$programs/initdb" ] || { echo 'postgres.sh: PostgreSQL is not installed' >&2; exit 1; }

free_port() {
  node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })"
}

start() {
  local folder=$1 port password
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  (umask 077 && printf '%s' "$password" >"$folder/password")
  if [ "$(id -u)" = 0 ]; then chown -R "$owner" "$folder"; fi
  as_owner "$programs/initdb" --pgdata="$folder/cluster" --username=ratebook --pwfile="$folder/password" \
    --auth=scram-sha-256 --encoding=UTF8 --locale=C >"$folder/initdb.log"
  port=$(free_port)
  as_owner "$programs/pg_ctl" --pgdata="$folder/cluster" --log="$folder/server.log" --wait --silent start \
    -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='' -c max_connections=200" >&2
  echo "postgres://ratebook:$password@127.0.0.1:$port/postgres"
}

stop() {
  local folder
  folder=$(cd "$1" && pwd)
  as_owner "$programs/pg_ctl" --pgdata="$folder/cluster" --mode=immediate --wait --silent stop >&2 || true
  rm -rf "$folder"
}

case "${1:-}" in
  start) start "${2:?which folder}" ;;
  stop) stop "${2:?which folder}" ;;
  run)
    shift
    folder=$(mktemp -d "${TMPDIR:-/tmp}/ratebook-postgres-XXXXXX")
    trap 'stop "$folder"' EXIT
    RATEBOOK_TEST_DATABASE_URL=$(start "$folder")
    export RATEBOOK_TEST_DATABASE_URL
    "$@"
    ;;
  *)
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
