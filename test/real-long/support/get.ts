/** Prints what an address answers: `get.ts URL`. It fails where that is an error. */
const response = await fetch(process.argv[2] ?? '');
if (!response.ok) throw new Error(`status ${response.status}`);
console.log(await response.text());
