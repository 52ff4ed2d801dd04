/** Loaded into an operator first: at SIGUSR2 it keeps the event loop busy for BUSY_MS, as a bug or a giant object would. */
process.on('SIGUSR2', () => {
  const end = Date.now() + Number(process.env['BUSY_MS']);
  while (Date.now() < end);
});
