/**
 * LIMIT-5: whether one more of a tenant's may wait in a queue that all tenants share. It may hold as much as is still free
 * (the dynamic threshold of Choudhury and Hahne, 1998): half of the queue where it is alone, a third each where two press
 * together. Each tenant that presses at most halves what is free, so that of 20,000 places fourteen of them leave one.
 */
export const mayWait = ({ own, all, most }: { own: number; all: number; most: number }): boolean =>
  own < most - all;
