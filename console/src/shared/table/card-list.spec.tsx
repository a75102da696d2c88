import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { CardList } from './card-list';
import type { DataTableProps } from './table-props';

interface Row {
  readonly id: number;
}

const props: DataTableProps<Row> & { rows: readonly Row[] } = {
  name: 'rows',
  label: 'Rows',
  columns: [
    { id: 'name', label: 'Name', card: 'title', render: () => 'ann' },
    { id: 'status', label: 'Status', card: 'aside', render: () => 'Active' },
  ],
  query: { data: undefined, error: null, isError: false, isFetching: false, refetch: () => undefined },
  rows: [{ id: 1 }],
  rowId: (row) => row.id,
  rowName: () => 'ann',
  actions: () => <button type="button">⋯</button>,
  empty: null,
  failedTitle: '',
};

const statusLine = () => screen.getByText('Active').parentElement;

it('puts one small action beside the status, and more of them on a line of their own', () => {
  const { rerender } = render(<CardList {...props} actionsBeside />);
  expect(statusLine()).toContainElement(screen.getByRole('button'));
  rerender(<CardList {...props} />);
  expect(statusLine()).not.toContainElement(screen.getByRole('button'));
});

it('hides a label whose value turns out to be nothing', () => {
  const Nothing = () => null;
  const columns = [
    ...props.columns,
    { id: 'model', label: 'Model', card: 'line', render: () => <Nothing /> },
    { id: 'token', label: 'Token', card: 'line', render: () => 'laptop' },
  ] as const;
  render(<CardList {...props} columns={columns} />);
  expect(screen.getByText('Token')).toBeVisible();
  expect(screen.getByText('Model')).not.toBeVisible();
});

it('shows the text of a row of another kind instead of the columns it has no values for', () => {
  const columns = [
    ...props.columns,
    { id: 'model', label: 'Model', card: 'line', render: () => 'gpt' },
  ] as const;
  const across = { columns: ['model'], render: () => 'Redeemed code #7' };
  render(<CardList {...props} columns={columns} across={across} />);
  expect(screen.getByText('Redeemed code #7')).toBeVisible();
  expect(screen.queryByText('Model')).toBeNull();
});
