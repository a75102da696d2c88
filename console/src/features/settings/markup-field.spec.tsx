import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { renderElement } from '../../testing/render';
import { MarkupField } from './markup-field';

function Form({ text }: { text: string }) {
  const form = useForm({ defaultValues: { footer: text } });
  return <MarkupField control={form.control} name="footer" label="Footer" />;
}

it('shows the text as it will be shown, with its styles, and lists what was removed', async () => {
  const { user } = renderElement(<Form text="<p style='color: red; position: fixed'>Hello</p>" />);
  const preview = within(await screen.findByRole('group', { name: 'Preview: Footer' }));
  expect(await preview.findByText('Hello')).toHaveStyle({ color: 'rgb(255, 0, 0)' });
  expect(preview.getByRole('status')).toHaveTextContent(/position$/);

  const field = screen.getByRole('textbox', { name: 'Footer' });
  await user.clear(field);
  expect(screen.queryByRole('group', { name: 'Preview: Footer' })).toBeNull();
  await user.type(field, '**bold**');
  const again = within(await screen.findByRole('group', { name: 'Preview: Footer' }));
  expect((await again.findByText('bold')).tagName).toBe('STRONG');
  expect(again.queryByRole('status')).toBeNull();
});

it('shows no preview of an address, which the page shows in a frame', async () => {
  renderElement(<Form text="https://about.example/us" />);
  expect(await screen.findByRole('textbox', { name: 'Footer' })).toBeVisible();
  expect(screen.queryByRole('group')).toBeNull();
});
