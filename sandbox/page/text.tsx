import type { ComponentChildren } from 'preact';
import { type Dict, textAt } from '../slack/json.ts';
import { formatDate } from './dates.ts';
import { useDesk } from './desk.ts';
import { type Piece, parseMrkdwn, unescaped } from './mrkdwn.ts';

/** A text object: plain_text is letters with entities undone once, mrkdwn is drawn. */
export function TextObject({ of }: { of: unknown }) {
  const text = textAt(of, 'text') ?? '';
  if (textAt(of, 'type') !== 'mrkdwn') return <span class="plain">{unescaped(text)}</span>;
  return <Mrkdwn text={text} verbatim={(of as Dict)['verbatim'] === true} />;
}

export function Mrkdwn({ text, verbatim = false }: { text: string; verbatim?: boolean }) {
  return <Pieces of={parseMrkdwn(text, verbatim)} />;
}

/** The same as letters, for accessible names. */
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
      const text = formatDate(piece.at, piece.format, piece.fallback);
      const time = <time title={new Date(piece.at * 1000).toString()}>{text}</time>;
      return piece.url ? <Link url={piece.url}>{time}</Link> : time;
    }
    case 'link':
      return <Link url={piece.url}>{piece.label}</Link>;
    default:
      return piece satisfies never;
  }
}

export function Link({ url, children }: { url: string; children: ComponentChildren }) {
  const isSafe = /^(?:https?|mailto|tel):/i.test(url);
  return isSafe ? (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    <span class="mention">{children}</span>
  );
}

export function Mention({
  kind,
  id,
  label,
}: {
  kind: 'person' | 'channel' | 'group';
  id: string;
  label: string | null;
}) {
  const { snapshot, me } = useDesk();
  if (kind === 'channel')
    return <span class="mention">#{snapshot.channels[id]?.name ?? label ?? 'private channel'}</span>;
  const group = kind === 'group' ? snapshot.groups[id] : undefined;
  const isMe = kind === 'person' ? id === me : group?.members.includes(me) === true;
  const bot = kind === 'person' && id === snapshot.bot.userId ? snapshot.app.name : undefined;
  const name = kind === 'person' ? (bot ?? snapshot.people[id]?.realName) : group?.handle;
  return <span class={isMe ? 'mention mention-me' : 'mention'}>@{name ?? label ?? id}</span>;
}
