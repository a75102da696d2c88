import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { useForm, useWatch } from 'react-hook-form';
import { renderElement } from '../../testing/render';
import type { ModulesId } from './module-switches';
import { ModulesField } from './modules-field';

function Form({ modules, stored }: { modules: ModulesId; stored: string }) {
  const { control } = useForm({ defaultValues: { option: stored } });
  return (
    <>
      <ModulesField control={control} name="option" label="Parts" modules={modules} />
      <output>{useWatch({ control, name: 'option' })}</output>
    </>
  );
}

const written = (): unknown => JSON.parse(screen.getByRole('status').textContent);

describe('switches for parts of the console', () => {
  it('writes the stored document with what other consoles keep in it', async () => {
    const stored = { console: { enabled: true, token: true, models: false }, extra: { enabled: true } };
    const { user } = renderElement(<Form modules="sidebar" stored={JSON.stringify(stored)} />);
    await user.click(await screen.findByRole('switch', { name: 'API tokens' }));
    expect(written()).toEqual({ ...stored, console: { ...stored.console, token: false } });
    await user.click(screen.getByRole('switch', { name: 'Wallet' }));
    expect(written()).toMatchObject({ personal: { topup: false }, extra: { enabled: true } });
  });

  it('disables the switches of a part that is off as a whole', async () => {
    const { user } = renderElement(<Form modules="header" stored="{}" />);
    const forMembers = await screen.findByRole('switch', { name: 'Prices only after login' });
    expect(forMembers).not.toBeChecked();
    expect(forMembers).toBeEnabled();
    await user.click(screen.getByRole('switch', { name: 'Prices' }));
    expect(written()).toEqual({ pricing: { enabled: false } });
    expect(forMembers).toBeDisabled();
  });

  it('leaves what is no object as it is', async () => {
    renderElement(<Form modules="sidebar" stored="[1]" />);
    expect(await screen.findByRole('textbox')).toHaveTextContent('[1]');
    expect(screen.queryByRole('switch')).toBeNull();
  });
});
