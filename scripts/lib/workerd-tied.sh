#!/bin/sh
# Runs workerd so that it dies with the process that started it, even when that one is killed without a word.
exec setpriv --pdeathsig KILL "$LOOP_AGENT_WORKERD" "$@"
