import type { ComponentChildren } from 'preact';
import { type Dict, dictAt, dictsAt, textAt } from '../slack/json.ts';
import { formatDate } from './dates.ts';
import { type Piece, parseMrkdwn, unescaped } from './mrkdwn.ts';
import { usePage } from './page-context.ts';

/** A text object: plain_text is letters with entities undone once, mrkdwn is drawn. */
export function TextObject({ of }: { of: unknown }) {
  const text = textAt(of, 'text') ?? '';
  if (textAt(of, 'type') !== 'mrkdwn') return <span class="plain">{unescaped(text)}</span>;
  return <Mrkdwn text={text} verbatim={(of as Dict)['verbatim'] === true} />;
}

export function Mrkdwn({ text, verbatim = false }: { text: string; verbatim?: boolean }) {
  return <Pieces of={parseMrkdwn(text, verbatim)} />;
}

/** A text object as plain letters, for accessible names and placeholders. */
export function plainOf(of: unknown): string {
  return unescaped(textAt(of, 'text') ?? '');
}

function Pieces({ of }: { of: readonly Piece[] }) {
  return (
    <>
      {of.map((piece, index) => (
        // Pieces have no identity of their own: the text is replaced as a whole.
        <PieceView key={`${index} ${piece.kind}`} piece={piece} />
      ))}
    </>
  );
}

function PieceView({ piece }: { piece: Piece }): ComponentChildren {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'code':
      return <code>{piece.text}</code>;
    case 'pre':
      return <pre>{piece.text}</pre>;
    case 'bold':
      return (
        <b>
          <Pieces of={piece.inside} />
        </b>
      );
    case 'italic':
      return (
        <i>
          <Pieces of={piece.inside} />
        </i>
      );
    case 'strike':
      return (
        <s>
          <Pieces of={piece.inside} />
        </s>
      );
    case 'quote':
      return (
        <blockquote>
          <Pieces of={piece.inside} />
        </blockquote>
      );
    case 'person':
    case 'channel':
    case 'group':
      return <Mention kind={piece.kind} id={piece.id} label={piece.label} />;
    case 'broadcast':
      return <span class="mention mention-me">@{piece.range}</span>;
    case 'date': {
      const time = <When at={piece.at} format={piece.format} fallback={piece.fallback} />;
      return piece.url ? <Link url={piece.url}>{time}</Link> : time;
    }
    case 'link':
      return <Link url={piece.url}>{piece.label}</Link>;
    default:
      return piece satisfies never;
  }
}

function When({ at, format, fallback }: { at: number; format: string; fallback: string }) {
  const { now } = usePage();
  return <time title={new Date(at * 1000).toString()}>{formatDate(at, format, fallback, now())}</time>;
}

function Link({ url, children }: { url: string; children: ComponentChildren }) {
  const isSafe = /^(?:https?|mailto|tel):/i.test(url);
  return isSafe ? (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    <span class="mention">{children}</span>
  );
}

function Mention({ kind, id, label }: { kind: 'person' | 'channel' | 'group'; id: string; label: string | null }) {
  const { snapshot, me } = usePage();
  if (kind === 'channel')
    return <span class="mention">#{snapshot.channels[id]?.name ?? label ?? 'private channel'}</span>;
  const group = kind === 'group' ? snapshot.groups[id] : undefined;
  const isMe = kind === 'person' ? id === me : group?.members.includes(me) === true;
  const bot = kind === 'person' && id === snapshot.bot.userId ? snapshot.app.name : undefined;
  const name = kind === 'person' ? (bot ?? snapshot.people[id]?.realName) : group?.handle;
  return <span class={isMe ? 'mention mention-me' : 'mention'}>@{name ?? label ?? id}</span>;
}

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
      return <When at={Number(element['timestamp'])} format={text('format')} fallback={text('fallback')} />;
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

/** Loud on purpose: a gap of this page must not look like a gap of the product. */
export function Unsupported({ type }: { type: unknown }) {
  return (
    <strong class="unsupported" role="alert">
      unsupported: {String(type)}
    </strong>
  );
}
