/** The walk from the entry page to the timeline, which browsers may skip. */

// A transition that is skipped is no error.
for (const event of ['pageswap', 'pagereveal'] as const)
  addEventListener(event, ({ viewTransition }) => {
    viewTransition?.ready.catch(() => undefined);
    viewTransition?.finished.catch(() => undefined);
  });
