/** The transition from the entry page to the timeline. Browsers may skip it. */

// A skipped transition is not an error.
for (const event of ['pageswap', 'pagereveal'] as const)
  addEventListener(event, ({ viewTransition }) => {
    viewTransition?.ready.catch(() => undefined);
    viewTransition?.finished.catch(() => undefined);
  });
