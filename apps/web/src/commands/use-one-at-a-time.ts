import { useMutation, useQueryClient, type UseMutationOptions } from "@tanstack/react-query";
import { useId } from "react";
import { endIfSignedOut } from "../session/end-if-signed-out.ts";

/**
 * What a person asks for, once: until it is settled the same control is deaf. `isPending` is told a moment after the click,
 * and a second click in that moment would ask again; the mutation's own state is there at once.
 *
 * What was done is settled when what `onSettled` reads anew is there, so that nobody asks again for what they do not see
 * yet. A refusal, or that no answer came, is told at once: the page may be read slowly, or not at all, just then.
 */
export function useOneAtATime<Data, Wish = void>(
  options: Omit<UseMutationOptions<Data, Error, Wish>, "mutationKey" | "onError">,
) {
  const queries = useQueryClient();
  const mutationKey = ["one at a time", useId()];
  const mutation = useMutation<Data, Error, Wish>({
    ...options,
    mutationKey,
    onError: endIfSignedOut,
    onSettled: (data, error, ...rest) => {
      const readAnew = options.onSettled?.(data, error, ...rest);
      return error === null ? readAnew : undefined;
    },
  });
  const isRunning = () => queries.isMutating({ mutationKey, exact: true }) > 0;
  const mutate: typeof mutation.mutate = (...asked) => {
    if (!isRunning()) mutation.mutate(...asked);
  };
  return { ...mutation, mutate, isRunning };
}
