import { useMutation, useQueryClient, type UseMutationOptions } from "@tanstack/react-query";
import { useId } from "react";
import { endIfSignedOut } from "../session/end-if-signed-out.ts";

/**
 * What a person asks for, once: until it is settled the same control is deaf. `isPending` is told a moment after the click,
 * and a second click in that moment would ask again; the mutation's own state is there at once.
 */
export function useOneAtATime<Data, Wish = void>(
  options: Omit<UseMutationOptions<Data, Error, Wish>, "mutationKey" | "onError">,
) {
  const queries = useQueryClient();
  const mutationKey = ["one at a time", useId()];
  const mutation = useMutation<Data, Error, Wish>({ ...options, mutationKey, onError: endIfSignedOut });
  const isRunning = () => queries.isMutating({ mutationKey, exact: true }) > 0;
  const mutate: typeof mutation.mutate = (...asked) => {
    if (!isRunning()) mutation.mutate(...asked);
  };
  return { ...mutation, mutate, isRunning };
}
