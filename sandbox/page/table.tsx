import { type Dict, dictsAt, isDict, listAt, textAt } from '../slack/json.ts';
import { RichText } from './text.tsx';

/** A table block: its first row is the head. A column that does not wrap cuts its texts off, and a wide table scrolls by itself. */
export function Table({ block }: { block: Dict }) {
  const rows = listAt(block, 'rows').map((row) => dictsAt({ row }, 'row'));
  const columns = listAt(block, 'column_settings');
  const look = (index: number) => {
    const column = columns[index];
    const align = textAt(column, 'align') ?? 'left';
    return `cell-${align}${isDict(column) && column['is_wrapped'] === true ? ' cell-wrapped' : ''}`;
  };
  const [head = [], ...body] = rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it
    <div class="table-around" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th scope="col" class={look(index)} key={String(index)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            <tr key={String(at)}>
              {row.map((cell, index) => (
                <td class={look(index)} key={String(index)}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ cell }: { cell: Dict }) {
  return cell['type'] === 'rich_text' ? <RichText block={cell} /> : <span>{textAt(cell, 'text')}</span>;
}
