import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderElement } from '../../testing/render';
import { UsedQuota } from './used-quota';

describe('UsedQuota', () => {
  it('shows charges less refunds, and both on hover', async () => {
    const { user } = renderElement(<UsedQuota charged={200_000} refunded={50_000} />);
    await user.hover(screen.getByText('$0.30'));
    expect(await screen.findByText('$0.40 charged, $0.10 refunded')).toBeVisible();
  });

  it('shows the exact charge on hover where nothing was refunded', async () => {
    const { user } = renderElement(<UsedQuota charged={200_000} refunded={0} />);
    await user.hover(screen.getByText('$0.40'));
    expect(await screen.findByText('$0.40 · 200,000 quota')).toBeVisible();
  });
});
