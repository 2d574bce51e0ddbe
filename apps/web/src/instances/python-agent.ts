import type { PackVersion } from "../paths.ts";

/** JSON's texts are Python's too. */
const quoted = (text: string): string => JSON.stringify(text);

/**
 * All that an agent does (docs/python-agent.md): it heartbeats, leases, renews, stops what was cancelled, and reports. The
 * pack is registered already. `e2e/specs/connect.spec.ts` runs exactly this.
 */
export const pythonAgent = (origin: string, { packId, packVersion }: PackVersion): string =>
  `import json, os, shlex, subprocess, threading, time
import urllib.error, urllib.parse, urllib.request

URL = ${quoted(origin)}
KEY = os.environ["SIGNALBOX_KEY"]
ME = {"packId": ${quoted(packId)}, "instanceId": "python-%d" % os.getpid()}
EVERY = 5  # seconds between two heartbeats
at_work = {}  # dispatch id: (attempt number, process)


class Refused(Exception):
    """Signalbox said no: to say it again changes nothing."""


def post(path, body):
    """Each of these may be said twice, so it is said until it is answered."""
    pause = 0.5
    while True:
        headers = {"authorization": "Bearer " + KEY, "content-type": "application/json"}
        request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in (408, 429):
                raise Refused(error.read().decode()) from None
            print(path, error, flush=True)
        except (OSError, ValueError) as error:  # not reached, cut off, or no answer in time
            print(path, error, flush=True)
        time.sleep(pause)
        pause = min(pause * 2, 15)


def beat(capacity=1):
    """Says that the process is there; what was cancelled is stopped."""
    heartbeat = {
        **ME,
        "packVersion": ${quoted(packVersion)},
        "health": {"status": "HEALTH_STATUS_HEALTHY"},
        "capacity": {"activeTasks": len(at_work), "maxTasks": capacity},
        "leaseTtl": "%ds" % (3 * EVERY),
    }
    stop(post("/v1/heartbeats", heartbeat)["cancelDispatchIds"])


def stop(dispatch_ids):
    for dispatch_id in dispatch_ids:
        if dispatch_id in at_work:
            at_work[dispatch_id][1].kill()


def keep_alive():
    """A heartbeat does not keep a dispatch: only its renewal does."""
    try:
        while True:
            time.sleep(EVERY)
            beat()
            renew = [{"dispatchId": one, "attemptNumber": attempt} for one, (attempt, _) in list(at_work.items())]
            if renew:
                stop(post("/v1/leases", {**ME, "renew": renew})["lostDispatchIds"])
    except Refused as refused:  # such as a key that was revoked
        print(refused, flush=True)
        os._exit(1)


def work(execution, command):
    """What came of the task's test command: the outcome, and the evidence for it."""
    try:
        process = subprocess.Popen(
            shlex.split(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    except (OSError, ValueError) as error:
        return failure("COMMAND_NOT_RUN", "%s: %s" % (command, error), {"noneWithReason": "nothing was run"})
    at_work[execution["dispatchId"]] = (execution["attemptNumber"], process)
    try:
        output, _ = process.communicate()
    finally:
        del at_work[execution["dispatchId"]]
    passed = process.returncode == 0
    item = {"type": "EVIDENCE_TYPE_TEST", "command": command, "output": output[-60000:], "passed": passed}
    evidence = {"items": {"items": [item]}}
    if not passed:
        return failure("TEST_SUITE_FAILED", "%s ended with %d." % (command, process.returncode), evidence)
    status = {
        "outcome": "OUTCOME_SUCCESS",
        "confidence": "CONFIDENCE_CONFIDENT",
        "summary": command + " passed.",
    }
    return {"status": status, "evidence": evidence}


def failure(code, reason, evidence):
    status = {
        "outcome": "OUTCOME_NON_RETRYABLE_FAILURE",
        "confidence": "CONFIDENCE_CONFIDENT",
        "summary": reason,
        "failureCode": code,
        "failureReason": reason,
    }
    return {"status": status, "evidence": evidence}


def carry_out(envelope):
    execution = envelope["execution"]
    command = envelope["contract"].get("environment", {}).get("testCommand") or "true"
    print(execution["dispatchId"], command, flush=True)
    result = {
        "protocolVersion": envelope["protocolVersion"],
        "trace": envelope["trace"],
        "dispatchId": execution["dispatchId"],
        "attemptNumber": execution["attemptNumber"],
        **work(execution, command),
    }
    try:
        post("/v1/dispatches/%s/result" % urllib.parse.quote(execution["dispatchId"], safe=""), result)
    except Refused as refused:  # such as STALE_DISPATCH: it was cancelled while it ran
        print(refused, flush=True)


beat()
print(ME["instanceId"], "waits for work; Ctrl-C ends it", flush=True)
threading.Thread(target=keep_alive, daemon=True).start()
try:
    while True:
        for envelope in post("/v1/leases", {**ME, "maxTasks": 1, "waitSeconds": 20})["envelopes"]:
            carry_out(envelope)
except KeyboardInterrupt:
    beat(capacity=0)
`;
