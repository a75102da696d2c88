import type { DataSource } from 'typeorm';

/** Lets time pass for what people began and did not finish yet: it ends by the clock of the database, which no test can set. */
export async function ageSteps(dataSource: DataSource, byMs: number): Promise<void> {
  await dataSource.query(`UPDATE steps_under_way SET until_ms = until_ms - ${Math.round(byMs)}`);
}
