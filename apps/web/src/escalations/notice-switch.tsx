import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { noticeState, turnOff, turnOn, type NoticeState } from "./browser-notices.ts";

const reasons: Partial<Record<NoticeState, string>> = {
  refused: "This browser was told not to show notices from here.",
  impossible: "This browser shows no notices.",
};

/** Asks for the browser's leave on a click and at no other time. */
export function NoticeSwitch() {
  const [state, setState] = useState(noticeState);
  if (state === "on")
    return <Button onClick={() => setState(turnOff())}>Stop telling me in this browser</Button>;
  return (
    <Button
      unavailable={reasons[state]}
      onClick={() => {
        void turnOn().then(setState);
      }}
    >
      Tell me in this browser
    </Button>
  );
}
