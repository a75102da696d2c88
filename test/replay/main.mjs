import { replay, scoreTable } from './run.mjs';

const [folder, only] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: npm run replay -- FOLDER [PART OF A NAME]\n');
  process.exit(2);
}
const result = await replay(folder, { only, say: (line) => process.stdout.write(`${line}\n`) });
process.stdout.write(`\n${scoreTable(result)}\n`);
const wrong = result.rows.filter(({ differences }) => differences.some(({ reason }) => reason === undefined));
process.stdout.write(`\n${result.rows.length - wrong.length} of ${result.rows.length} readings agree.\n`);
process.exit(wrong.length === 0 ? 0 : 1);
