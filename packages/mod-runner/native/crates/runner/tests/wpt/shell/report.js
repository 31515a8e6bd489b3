// A promise of what the harness tells at its end. Asked for by the harness's own completion callback, which
// is there once the harness has run.
const report = Promise.resolve().then(
  () =>
    new Promise((resolve) => {
      const names = ["PASS", "FAIL", "TIMEOUT", "NOTRUN", "PRECONDITION_FAILED"];
      globalThis.add_completion_callback((tests, status) =>
        resolve({
          status: status.status === 0 ? "OK" : "ERROR",
          message: status.message,
          tests: tests.map(({ name, status, message }) => ({
            name: name.toWellFormed(),
            status: names[status],
            message: message?.toWellFormed().slice(0, 300) ?? null,
          })),
        }),
      );
    }),
);
