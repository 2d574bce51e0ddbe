"""An agent for Signalbox over plain REST: Python's standard library and nothing else.

It runs the test command of each task in a folder and reports what the tests said. docs/python-agent.md explains it.

    SIGNALBOX_KEY=... python3 agent.py --url http://127.0.0.1:7400 --folder path/to/a/project
"""

import argparse
import json
import os
import random
import shlex
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

PACK = {
    "packId": "python-tester",
    "packVersion": "1.0.0",
    "safetyTier": "RISK_TIER_NORMAL",
    "supportedTaskTypes": ["verification"],
    "providedTools": ["python3"],
    "interface": {
        "supportedSchemaVersions": ["^1.0.0"],
        "acceptedRiskTiers": ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
    },
}
LONGEST_OUTPUT = 60_000  # the contract's bound is 65,536 characters


class Stopped(Exception):
    """Asked to stop while Signalbox does not answer: nothing is at hand that it would have to be told."""


class Refused(Exception):
    """Signalbox understood, and said no: to say it again changes nothing."""

    def __init__(self, problem):
        faults = [f"{fault['field']}: {fault['message']}" for fault in problem.get("violations", [])]
        super().__init__("; ".join([f"{problem.get('code')}: {problem.get('detail')}", *faults]))
        self.code = problem.get("code")


class Signalbox:
    def __init__(self, url, key):
        self.url, self.key = url, key

    def post(self, path, body, seconds=15, stop=None):
        """One request. What an agent says may be said twice, so it is said until it is answered, or until stop is set."""
        delay = 0.25
        while True:
            asked_to_wait = 0
            request = urllib.request.Request(
                urllib.parse.urljoin(self.url, path),
                data=json.dumps(body).encode(),
                headers={"authorization": f"Bearer {self.key}", "content-type": "application/json"},
            )
            try:
                with urllib.request.urlopen(request, timeout=seconds) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code < 500 and error.code not in (408, 429):
                    raise Refused(json.load(error)) from None
                reason = f"HTTP {error.code}"
                after = error.headers.get("retry-after", "")
                asked_to_wait = min(int(after), 60) if after.isdecimal() else 0
            except (OSError, ValueError) as error:  # not reached, cut off, or no answer in time
                reason = error
            pause = asked_to_wait + delay * random.uniform(0.5, 1)
            print(f"{path}: {reason}; again in {pause:.2f} s", flush=True)
            goes_on = time.monotonic() + pause
            while time.monotonic() < goes_on:
                if stop is not None and stop.is_set():
                    raise Stopped
                time.sleep(0.05)
            delay = min(delay * 2, 15)


class Agent:
    def __init__(self, signalbox, folder, every, finish_within):
        self.signalbox, self.folder, self.every, self.finish_within = signalbox, folder, every, finish_within
        self.instance = {"packId": PACK["packId"], "instanceId": f"python-tester-{os.getpid()}"}
        self.draining = threading.Event()
        self.handing_back = threading.Event()
        self.over = threading.Event()
        self.told_to_drain = False
        self.at_work = None  # (envelope's execution, process)

    def run(self):
        self.signalbox.post("/v1/packs", PACK, stop=self.draining)
        self.beat(stop=self.draining)
        print(f"{self.instance['instanceId']} waits for work", flush=True)
        threading.Thread(target=self.keep_alive, daemon=True).start()
        while not self.draining.is_set():
            if self.told_to_drain:
                self.draining.wait(0.2)
                continue
            wanted = {**self.instance, "maxTasks": 1, "waitSeconds": self.every}
            for envelope in self.signalbox.post("/v1/leases", wanted, 20, self.draining)["envelopes"]:
                self.carry_out(envelope)
        self.over.set()
        self.beat(lease="1s", capacity=0, stop=self.draining)

    def beat(self, lease=None, capacity=1, stop=None):
        said = {
            **self.instance,
            "packVersion": PACK["packVersion"],
            "health": {"status": "HEALTH_STATUS_HEALTHY"},
            "capacity": {"activeTasks": int(self.at_work is not None), "maxTasks": capacity},
            "leaseTtl": lease or f"{3 * self.every}s",
        }
        answer = self.signalbox.post("/v1/heartbeats", said, stop=stop)
        # Signalbox asks for it, and may take it back.
        self.told_to_drain = answer["drain"]
        for dispatch_id in answer["cancelDispatchIds"]:
            self.stop(dispatch_id)

    def keep_alive(self):
        """A heartbeat says that the process is there; only a renewal keeps the dispatch."""
        while not self.over.wait(self.every):
            self.beat(capacity=0 if self.draining.is_set() or self.told_to_drain else 1)
            if self.at_work is None:
                continue
            execution, _ = self.at_work
            attempt = {key: execution[key] for key in ("dispatchId", "attemptNumber")}
            renewal = {**self.instance, "renew": [attempt]}
            for dispatch_id in self.signalbox.post("/v1/leases", renewal)["lostDispatchIds"]:
                self.stop(dispatch_id)

    def drain(self, *_):
        """Asked to stop: what is at hand may be finished for a while, and is handed back then, or when asked once more."""
        if self.draining.is_set():
            self.hand_back()
            return
        self.draining.set()
        timer = threading.Timer(self.finish_within, self.hand_back)
        timer.daemon = True
        timer.start()

    def hand_back(self):
        self.handing_back.set()
        current = self.at_work
        if current is not None:
            self.stop(current[0]["dispatchId"])

    def stop(self, dispatch_id):
        current = self.at_work
        if current is not None and current[0]["dispatchId"] == dispatch_id:
            os.killpg(current[1].pid, signal.SIGKILL)

    def carry_out(self, envelope):
        execution = envelope["execution"]
        command = envelope["contract"].get("environment", {}).get("testCommand", "")
        print(f"{execution['dispatchId']}: {command}", flush=True)
        result = {
            "protocolVersion": envelope["protocolVersion"],
            "trace": envelope["trace"],
            "dispatchId": execution["dispatchId"],
            "attemptNumber": execution["attemptNumber"],
            **self.answer(execution, command),
        }
        path = f"/v1/dispatches/{urllib.parse.quote(execution['dispatchId'], safe='')}/result"
        try:
            self.signalbox.post(path, result)
        except Refused as refused:  # such as STALE_DISPATCH: it was cancelled while it ran
            print(f"{execution['dispatchId']}: {refused}", flush=True)

    def answer(self, execution, command):
        if not command:
            return failure("NO_TEST_COMMAND", "The task names no test command.", "nothing was run")
        try:
            process = subprocess.Popen(
                shlex.split(command),  # no shell: what a task says is run as one program with its arguments
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return failure("COMMAND_NOT_RUN", f"{command}: {error}", "nothing was run")
        self.at_work = (execution, process)
        if self.handing_back.is_set():
            self.stop(execution["dispatchId"])
        try:
            output, _ = process.communicate()
        finally:
            self.at_work = None
        passed = process.returncode == 0
        if not passed and self.handing_back.is_set():  # sent again by this code, at no cost to the task
            reason = f"{self.instance['instanceId']} had to stop before it was done."
            return failure("INSTANCE_STOPPED", reason, "the work was called off", "OUTCOME_RETRYABLE_FAILURE")
        item = {
            "type": "EVIDENCE_TYPE_TEST",
            "command": command,
            "output": output[-LONGEST_OUTPUT:],
            "passed": passed,
        }
        evidence = {"items": {"items": [item]}}
        if not passed:
            return failure("TEST_SUITE_FAILED", f"{command} ended with {process.returncode}.", evidence)
        status = {
            "outcome": "OUTCOME_SUCCESS",
            "confidence": "CONFIDENCE_CONFIDENT",
            "summary": f"{command} passed.",
        }
        return {"status": status, "evidence": evidence}


def failure(code, reason, evidence, outcome="OUTCOME_NON_RETRYABLE_FAILURE"):
    status = {
        "outcome": outcome,
        "confidence": "CONFIDENCE_CONFIDENT",
        "summary": reason,
        "failureCode": code,
        "failureReason": reason,
    }
    return {"status": status, "evidence": {"noneWithReason": evidence} if isinstance(evidence, str) else evidence}


def main():
    parser = argparse.ArgumentParser(description="Runs the test commands of tasks for Signalbox.")
    parser.add_argument("--url", default="http://127.0.0.1:7400")
    parser.add_argument("--folder", default=".", help="where the commands are run")
    parser.add_argument("--every", type=int, default=5, help="seconds between two heartbeats, and of one wait for work")
    parser.add_argument("--finish-within", type=float, default=20, help="seconds that work may go on once it is to stop")
    options = parser.parse_args()
    key = os.environ.get("SIGNALBOX_KEY")
    if not key:
        parser.error("SIGNALBOX_KEY is not set: give a key that may work as the pack python-tester")
    agent = Agent(Signalbox(options.url, key), options.folder, options.every, options.finish_within)
    signal.signal(signal.SIGTERM, agent.drain)
    signal.signal(signal.SIGINT, agent.drain)
    try:
        agent.run()
    except Stopped:
        pass


if __name__ == "__main__":
    main()
