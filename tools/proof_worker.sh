#!/bin/sh
# A worker of a proof: does the jobs that `shogi proof build --jobs FOLDER` leaves in a folder, until the folder
# is removed. Any number of workers, on any machines that see the folder, share the jobs:
#
#   sbatch --array=1-64 --export=ALL,JOBS=jobs tools/proof_worker.sh
#   parallel --nonall --sshlogin a,b JOBS=/shared/jobs tools/proof_worker.sh
#
# A job is locked while it is done, and the lock of a worker that dies is free for the next one.
#SBATCH --job-name=shogi-proof
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --requeue
set -eu
: "${SHOGI:=shogi}" "${JOBS:=jobs}" "${HASH:=256}"
while [ -d "$JOBS" ]; do
  idle=1
  for job in "$JOBS"/*.job; do
    result="${job%.job}.result"
    if [ -e "$result" ] || ! [ -e "$job" ]; then continue; fi
    # The build may take the job away at any moment: then there is nothing to do, and nobody needs the result.
    if flock --nonblock "$job" "$SHOGI" proof work --job "$job" --out "$result" --hash "$HASH" 2>/dev/null; then
      idle=0
      [ -e "$job" ] || rm -f "$result"
    fi
  done >/dev/null
  if [ "$idle" = 1 ]; then sleep 0.2; fi
done
