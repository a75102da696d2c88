import { renderSentence, type Sentence } from '../../../common/import-sentences/sentence.js';
import type { Language } from '../../../common/language.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { ImportReportView, ImportRunView } from '../dto/import.dto.js';
import type { ImportReport } from '../report.js';
import type { ImportRunEntity } from './import-run.entity.js';
import { readFault } from './run-fault.js';

const seconds = (ms: number | null): number => Math.floor((ms ?? 0) / 1_000);

/** @param isHeld  its process still holds the lease */
export function presentRun(run: ImportRunEntity, isHeld: boolean, language: Language): ImportRunView {
  const progress = parseJson(run.progress);
  const of = (name: string): number => (isJsonObject(progress) ? Number(progress[name] ?? 0) : 0);
  return {
    id: run.id,
    kind: run.kind,
    status: run.status === 'running' && !isHeld ? 'lost' : run.status,
    import_id: run.importId,
    source: run.source,
    part: isJsonObject(progress) ? String(progress['part']) : '',
    done: of('done'),
    found: of('found'),
    part_ms: of('partMs'),
    fault: run.fault === '' ? '' : renderSentence(readFault(run.fault), language),
    stop_asked: run.stopAsked === 1,
    started_at: seconds(run.startedAtMs),
    ended_at: seconds(run.endedAtMs),
    report: run.report === '' ? null : presentReport(JSON.parse(run.report) as ImportReport, language),
  };
}

function presentReport(report: ImportReport, language: Language): ImportReportView {
  const text = (sentence: Sentence): string => renderSentence(sentence, language);
  return {
    import_id: report.importId,
    product: report.product as ImportReportView['product'],
    version: report.version,
    warnings: report.warnings.map(text),
    counts: Object.entries(report.counts).map(([kind, { leftOut, ...counts }]) => ({
      kind,
      ...counts,
      left_out: leftOut,
    })),
    notes: report.notes.map(({ sentence, ...note }) => ({ ...note, sentence: text(sentence) })),
    further_notes: report.furtherNotes,
    numbers: report.numbers.map((number) => ({ ...number, to: Number(number.to) })),
    sums: report.sums.map(({ isEqual, explained, name, ...sum }) => ({
      ...sum,
      name: text(name),
      explained: explained.map(({ why, amount }) => ({ why: text(why), amount })),
      is_equal: isEqual,
    })),
    options: {
      taken: [...report.options.taken],
      refused: report.options.refused.map(text),
      unknown: [...report.options.unknown],
      differences: report.options.differences.map((difference) => ({ ...difference })),
    },
    log_lines: report.logs?.lines ?? null,
  };
}
