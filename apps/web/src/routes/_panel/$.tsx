import { createFileRoute } from "@tanstack/react-router";
import { NotFoundPage } from "../../problem/not-found-page.tsx";

/** An address of no page, inside the shell: who mistyped one still sees where they are. */
export const Route = createFileRoute("/_panel/$")({ component: NotFoundPage });
