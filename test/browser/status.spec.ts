import { expect } from '@playwright/test';
import { Inspection } from './support/inspection.js';
import { complaintsOf, signIn, test } from './support/stage.js';

for (const width of [1440, 390]) {
  test(`shows the state of the installation on the status page, at ${width} px`, async ({
    page,
    gateway,
    furnished,
  }) => {
    expect(furnished.tokenKey).toMatch(/^sk-/);
    const complaints = complaintsOf(page);
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, gateway.url, { theme: width === 390 ? 'dark' : 'light' });
    await page.goto(`${gateway.url}/status`);
    await expect(page.getByRole('region', { name: 'Overview' })).toContainText('1 instance, 1 worker');
    const worker = page.getByRole('button', { name: /^Worker 0/ });
    await worker.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Settings revision')).toBeVisible();
    const inspection = new Inspection(page);
    await inspection.look('/status with a worker open');
    expect(inspection.faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
}
