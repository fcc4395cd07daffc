#!/bin/sh
# Runs workerd so that nobody else can use what Miniflare opens for itself, and so that workerd dies with the process that started it, even
# when that one is killed without a word. It has a session of its own, so that a signal to our process group (Ctrl-C) does not end it.
#
# Miniflare's entry socket would listen on a port of its own, and hand out the files of every tenant without a key: here it is a socket file
# that only its owner can open, in the data directory. Miniflare also lets anyone who names a fixed host start an RPC session on every port:
# here that host is a random name of the same length. Its configuration is binary and comes on stdin; it holds secrets, so the copy is gone
# before workerd starts.
set -eu
umask 077
cd "$LOOP_AGENT_PRIVATE"
rm -f .workerd-*
random=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n' | cut -c1-39)
LC_ALL=C sed -z "s/miniflare-unsafe-internal-capnp-connect/$random/g" > ".workerd-$$.config"
exec < ".workerd-$$.config"
rm ".workerd-$$.config"
for argument do
  shift
  case "$argument" in
    --socket-addr=entry=*) argument="--socket-addr=entry=unix:.workerd-$$.sock" ;;
  esac
  set -- "$@" "$argument"
done
exec setsid setpriv --pdeathsig KILL "$LOOP_AGENT_WORKERD" "$@"
