#!/usr/bin/env bash
# The servers and programs that the tests use: installed from Debian where they are missing, started where they do not let
# the tests in. `bash .ci/servers.sh`, as root, or sourced by .ci/run. Meant for a machine that exists for the tests:
# everybody on 127.0.0.1 may log in to PostgreSQL and MariaDB without a password. It creates nothing in the servers.

# name | Debian package | how to see that it answers | how to start it
servers=(
  'PostgreSQL | postgresql      | answers_postgresql | start_postgresql'
  'MariaDB    | mariadb-server  | answers_mariadb    | start_mariadb'
  'Redis      | redis-server    | answers_redis      | start_redis'
  'RabbitMQ   | rabbitmq-server | answers_rabbitmq   | start_rabbitmq'
  'NATS       | nats-server     | answers_nats       | start_nats'
)

# Programs that tests run themselves.
programs=(prometheus prometheus-pushgateway python3-prometheus-client haproxy nginx-light varnish rng-tools5 ent
  curl apprise prometheus-alertmanager chromium kcat openssl procps jq bsdutils
  qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross)

answers_postgresql() { psql -qAt -h 127.0.0.1 -U postgres -w -c 'select 1'; }
start_postgresql() {
  local version
  version=$(pg_lsclusters --no-header | awk '$2 == "main" { print $1; exit }')
  let_in 'host all all 127.0.0.1/32 trust' "/etc/postgresql/$version/main/pg_hba.conf"
  pg_ctlcluster --skip-systemctl-redirect "$version" main restart
}

answers_mariadb() { mariadb -h 127.0.0.1 -u root -e 'select 1'; }
start_mariadb() {
  install -d -o mysql -g mysql /run/mysqld
  start-stop-daemon --start --oknodo --background --exec /usr/sbin/mariadbd -- --user=mysql --bind-address=127.0.0.1
  wait_for 60 mariadb -u root -e "alter user root@localhost identified by ''"
}

answers_redis() { [ "$(redis-cli -h 127.0.0.1 ping)" = PONG ]; }
start_redis() { redis-server --daemonize yes --bind 127.0.0.1 --save '' --appendonly no --dir /tmp; }

# The server's first frame, after our protocol header, is `connection.start`: it begins with the bytes 1 0 0.
answers_rabbitmq() { [ "$(talk 5672 'AMQP\x00\x00\x09\x01' 3)" = 010000 ]; }
start_rabbitmq() {
  ERL_EPMD_ADDRESS=127.0.0.1 RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 \
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}' rabbitmq-server -detached
}

# The server speaks first: `INFO {…}`.
answers_nats() { [ "$(talk 4222 '' 4)" = 494e464f ]; }
start_nats() { start-stop-daemon --start --oknodo --background --exec /usr/sbin/nats-server -- -a 127.0.0.1 -js -sd /tmp/nats; }

prepare_servers() {
  local row name package answers start ready=0
  local missing=()
  for package in "${programs[@]}" "${servers[@]}"; do
    case $package in *'|'*) IFS='| ' read -r _ package _ <<<"$package" ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    echo "installing ${missing[*]}"
    apt_get update && apt_get install "${missing[@]}" || return 1
  fi
  for row in "${servers[@]}"; do
    IFS='| ' read -r name package answers start <<<"$row"
    if ! wait_for 1 "$answers"; then
      echo "starting $name"
      "$start" >/dev/null </dev/null
      wait_for 60 "$answers" || { echo "$name does not answer: $("$answers" 2>&1 | head -3)"; ready=1; continue; }
    fi
    echo "$name answers"
  done
  return "$ready"
}

apt_get() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq --yes --no-install-recommends \
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" >/dev/null </dev/null
}

# Puts a line at the head of a file that does not hold it.
let_in() { grep -qxF "$1" "$2" || sed -i "1i $1" "$2"; }

# Tries a command once a second, as many times as said.
wait_for() {
  local tries=$1
  shift
  while ! "$@" >/dev/null 2>&1 </dev/null; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 1
  done
}

# Says something to a port of this machine, and prints so many bytes of the answer in hexadecimal.
talk() {
  # shellcheck disable=SC2016 # the inner shell expands them
  timeout 5 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0" && printf "$1" >&3 && head -c "$2" <&3 | od -An -tx1 | tr -d " \n"' "$@"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then prepare_servers; fi
