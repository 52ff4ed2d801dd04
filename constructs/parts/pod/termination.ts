import type { Lifecycle } from '../objects/index.ts';

/** Seconds in which proxies and kube-proxy learn that a pod is leaving; until then requests still come. */
export const SETTLE_SECONDS = 5;

/** Seconds that a server has to exit by itself, after its last request has ended. */
const EXIT_SECONDS = 30;

/** Where a server tells how many requests it has in flight. */
export interface InFlight {
  readonly port: number;
  readonly path: string;
  /** Gauges whose sum is the number of requests in flight. */
  readonly metrics: readonly string[];
}

/** Kubernetes counts the hook's time as part of the grace period. */
export const gracePeriodSeconds = (drainSeconds: number): number =>
  Math.max(drainSeconds, SETTLE_SECONDS) + EXIT_SECONDS;

/**
 * Waits in the pod until the requests in flight have ended, by the Python of its image.
 *
 * @param loopback - the pod's own address on which the server listens, as an URL has it
 */
export const drainByMetrics = (inFlight: InFlight, loopback: string, drainSeconds: number): Lifecycle => ({
  preStop: {
    exec: {
      command: [
        'python3',
        '-c',
        DRAIN_SCRIPT,
        `http://${loopback}:${inFlight.port}${inFlight.path}`,
        String(SETTLE_SECONDS),
        String(drainSeconds),
        ...inFlight.metrics,
      ],
    },
  },
});

/** Waits for a fixed time. */
export const drainBySleep = (seconds: number): Lifecycle => ({ preStop: { sleep: { seconds } } });

/**
 * Polls the metrics until two looks in a row find nothing in flight, the time is over, or the server is gone. Metrics
 * that are not there (logging of statistics may be switched off) count as requests in flight, not as none.
 *
 * A server that still starts listens on no port, and has no requests. It may heed no SIGTERM before it is ready, and would
 * hold its GPU until the grace period ends; nor can process 1 of a container be killed from within. So those that work for
 * it are, on which it ends: vLLM with "Engine core initialization failed" (v1/engine/utils.py). Only in a container that
 * the hook was put into, whose parent is outside of it, and only processes of that container: pods may share theirs.
 */
export const DRAIN_SCRIPT = `
import os, signal, sys, time, urllib.error, urllib.parse, urllib.request

url, settle, limit, names = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), set(sys.argv[4:])
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
end = time.monotonic() + limit


def in_flight():
    with opener.open(url, timeout=2) as response:
        lines = response.read().decode().splitlines()
    values = [float(line.rsplit(" ", 1)[1]) for line in lines if line.replace("{", " ").split(" ", 1)[0] in names]
    return sum(values) if values else None


def listens():
    port = urllib.parse.urlsplit(url).port
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if os.path.exists(table):
            with open(table) as file:
                rows = [line.split() for line in file.readlines()[1:]]
            if any(row[3] == "0A" and int(row[1].rsplit(":", 1)[1], 16) == port for row in rows):
                return True
    return False


def container(process):
    with open(f"/proc/{process}/cgroup") as file:
        return file.read()


def stop():
    if os.getppid() != 0:
        return False
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(process) != os.getpid() and container(process) == container("self"):
                os.kill(int(process), signal.SIGTERM if process == "1" else signal.SIGKILL)
        except OSError:
            pass
    return True


time.sleep(min(settle, limit))
idle = 0
while idle < 2 and time.monotonic() < end:
    try:
        idle = idle + 1 if in_flight() == 0 else 0
    except urllib.error.URLError as error:
        if isinstance(error.reason, ConnectionRefusedError) and (listens() or not stop()):
            break
        idle = 0
    except Exception:
        idle = 0
    if idle < 2:
        time.sleep(1)
`
  // It stands in the manifests of each server, deeply indented already.
  .replaceAll(/\n+/g, '\n')
  .replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 4))
  .trimStart();
