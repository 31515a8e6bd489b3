// Preloaded: makes a runtime of today one without execve, such as Node 20 and older releases of Bun.
delete process.execve;
