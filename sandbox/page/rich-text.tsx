import type { ComponentChildren } from 'preact';
import { type Dict, dictAt, dictsAt, textAt } from '../slack/json.ts';
import { formatDate } from './dates.ts';
import { Link, Mention } from './text.tsx';
import { Unsupported } from './unsupported.tsx';

/** A rich_text block. Its texts are literal: nothing in them is parsed or decoded. */
export function RichText({ block }: { block: Dict }) {
  return (
    <div class="rich-text">
      {dictsAt(block, 'elements').map((element, index) => (
        <Part key={String(index)} element={element} />
      ))}
    </div>
  );
}

function Part({ element }: { element: Dict }): ComponentChildren {
  const inside = dictsAt(element, 'elements').map((entry, index) => <Inline key={String(index)} element={entry} />);
  switch (element['type']) {
    case 'rich_text_section':
      return <div>{inside}</div>;
    case 'rich_text_quote':
      return <blockquote>{inside}</blockquote>;
    case 'rich_text_preformatted':
      return <pre>{inside}</pre>;
    case 'rich_text_list': {
      const items = dictsAt(element, 'elements').map((entry, index) => (
        <li key={String(index)}>
          <Part element={entry} />
        </li>
      ));
      return element['style'] === 'ordered' ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    default:
      return <Unsupported type={element['type']} />;
  }
}

function Inline({ element }: { element: Dict }): ComponentChildren {
  return <Styled style={dictAt(element, 'style')}>{read(element)}</Styled>;
}

function read(element: Dict): ComponentChildren {
  const text = (name: string) => textAt(element, name) ?? '';
  switch (element['type']) {
    case 'text':
      return text('text');
    case 'link':
      return <Link url={text('url')}>{text('text') || text('url')}</Link>;
    case 'user':
      return <Mention kind="person" id={text('user_id')} label={null} />;
    case 'usergroup':
      return <Mention kind="group" id={text('usergroup_id')} label={null} />;
    case 'channel':
      return <Mention kind="channel" id={text('channel_id')} label={null} />;
    case 'broadcast':
      return <span class="mention mention-me">@{text('range')}</span>;
    case 'emoji':
      return `:${text('name')}:`;
    case 'date':
      return <time>{formatDate(Number(element['timestamp']), text('format'), text('fallback'))}</time>;
    default:
      return <Unsupported type={element['type']} />;
  }
}

function Styled({ style, children }: { style: Dict | undefined; children: ComponentChildren }): ComponentChildren {
  if (style?.['code'] === true) return <code>{children}</code>;
  const struck = style?.['strike'] === true ? <s>{children}</s> : children;
  const slanted = style?.['italic'] === true ? <i>{struck}</i> : struck;
  return style?.['bold'] === true ? <b>{slanted}</b> : slanted;
}
