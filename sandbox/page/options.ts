import { useEffect, useState } from 'preact/hooks';
import { type Dict, dictsAt, textAt } from '../slack/json.ts';
import { unescaped } from './mrkdwn.ts';
import { usePage } from './page-context.ts';
import type { Surface } from './surface.ts';

/** Slack waits for a pause in the typing before it asks the app. */
const ASK_AFTER_MS = 200;

interface Offered {
  readonly options: readonly Dict[];
  readonly state: { readonly line: string | null; readonly announce: string };
}

type Answer = { readonly query: string; readonly options: readonly Dict[] };

/** What a select offers for what is typed: its own options, filtered, or what the app answers. */
export function useOptions(given: {
  surface: Surface;
  block: string;
  action: string;
  element: Dict;
  query: string | null;
}): Offered {
  const { surface, block, action, element, query } = given;
  const own = useOwnOptions(element);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const least = Number(element['min_query_length'] ?? 3);
  const asks = own === null && query !== null && query.length >= least;

  useEffect(() => {
    if (!asks) return setAnswer(null);
    let isLate = false;
    const ask = async () => {
      const options = await surface.suggest(block, action, query);
      // A later letter has asked anew.
      if (!isLate) setAnswer({ query, options });
    };
    const timer = setTimeout(() => void ask(), query === '' ? 0 : ASK_AFTER_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
    // The surface is made anew on every render.
  }, [asks, query, block, action]);

  if (query === null) return { options: [], state: { line: null, announce: '' } };
  if (own) return found(own.filter((option) => labelOf(option).toLowerCase().includes(query.toLowerCase())));
  if (!asks) return said(`Type at least ${least} characters`);
  return answer?.query === query ? found(answer.options) : said('Loading…');
}

function found(options: readonly Dict[]): Offered {
  if (options.length === 0) return said('No results');
  return { options, state: { line: null, announce: `${options.length} results` } };
}

function said(line: string): Offered {
  return { options: [], state: { line, announce: line } };
}

function labelOf(option: Dict): string {
  return unescaped(textAt(option['text'], 'text') ?? '');
}

/** null where the app has to be asked. */
function useOwnOptions(element: Dict): readonly Dict[] | null {
  const { snapshot } = usePage();
  const entity = (id: string, text: string): Dict => ({ entity: id, value: id, text: { type: 'plain_text', text } });
  switch (element['type']) {
    case 'static_select':
    case 'multi_static_select':
      return [
        ...dictsAt(element, 'options'),
        ...dictsAt(element, 'option_groups').flatMap((group) => dictsAt(group, 'options')),
      ];
    case 'users_select':
      return Object.values(snapshot.people)
        .filter(({ deleted }) => !deleted)
        .map(({ id, realName }) => entity(id, realName));
    case 'channels_select':
      return Object.values(snapshot.channels).map(({ id, name }) => entity(id, `#${name}`));
    default:
      return null;
  }
}
