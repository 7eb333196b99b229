import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { foldedPart } from '../slack/fold.ts';
import { type Dict, dictAt, dictsAt, textAt } from '../slack/json.ts';
import { readText } from '../slack/text.ts';
import { Chart } from './chart.tsx';
import { Element } from './elements.tsx';
import { InputBlock } from './input-block.tsx';
import { fileUrl } from './server.ts';
import { useSurface } from './surface.ts';
import { Table } from './table.tsx';
import { RichText, TextObject, Unsupported } from './text.tsx';

export function Blocks({ blocks }: { blocks: readonly Dict[] }) {
  return (
    <>
      {blocks.map((block) => (
        // Slack tells blocks apart by this id too: what is typed stays with it.
        <div class={`block block-${String(block['type'])}`} key={String(block['block_id'])}>
          <Block block={block} />
        </div>
      ))}
    </>
  );
}

function Block({ block }: { block: Dict }): ComponentChildren {
  const id = String(block['block_id']);
  switch (block['type']) {
    case 'section':
      return <Section block={block} />;
    case 'divider':
      return <hr />;
    case 'header':
      return (
        <h3 class="block-heading">
          <TextObject of={block['text']} />
        </h3>
      );
    case 'context':
      return dictsAt(block, 'elements').map((element, index) => <ContextPart key={String(index)} element={element} />);
    case 'actions':
      return dictsAt(block, 'elements').map((element) => (
        <Element key={String(element['action_id'])} block={id} element={element} />
      ));
    case 'input':
      return <InputBlock block={block} />;
    case 'rich_text':
      return <RichText block={block} />;
    case 'image':
      return <Picture of={block} />;
    case 'table':
      return <Table block={block} />;
    case 'data_visualization':
      return <Chart block={block} />;
    case 'alert':
      return (
        <div class={`alert-block alert-${textAt(block, 'level') ?? 'default'}`}>
          <TextObject of={block['text']} />
        </div>
      );
    default:
      return <Unsupported type={block['type']} />;
  }
}

function Section({ block }: { block: Dict }) {
  const text = dictAt(block, 'text');
  const fields = dictsAt(block, 'fields');
  const accessory = dictAt(block, 'accessory');
  return (
    <>
      <div class="section-text">
        {text && <SectionText block={block} text={text} />}
        {fields.length > 0 && (
          <div class="fields">
            {fields.map((field, index) => (
              <div class="field text" key={String(index)}>
                <TextObject of={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {accessory && (
        <div class="accessory">
          {accessory['type'] === 'image' ? (
            <ImageStandIn of={accessory} />
          ) : (
            <Element block={String(block['block_id'])} element={accessory} />
          )}
        </div>
      )}
    </>
  );
}

/** As Slack's clients do, a message folds a long text unless its block says `expand`. */
function SectionText({ block, text }: { block: Dict; text: Dict }) {
  const { foldsTexts } = useSurface();
  const [isOpen, setOpen] = useState(false);
  const isLong = foldsTexts && foldedPart(block, readText(text)) !== '';
  return (
    <>
      <div class={isLong && !isOpen ? 'text folded' : 'text'}>
        <TextObject of={text} />
      </div>
      {isLong && (
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'See less' : 'See more'}
        </button>
      )}
    </>
  );
}

function ContextPart({ element }: { element: Dict }) {
  if (element['type'] === 'image') return <ImageStandIn of={element} />;
  return (
    <span class="context-text">
      <TextObject of={element} />
    </span>
  );
}

/** What the app has uploaded is shown. */
function Picture({ of }: { of: Dict }) {
  const id = textAt(dictAt(of, 'slack_file'), 'id');
  if (id === undefined) return <ImageStandIn of={of} />;
  return <img class="picture" src={fileUrl(id)} alt={textAt(of, 'alt_text') ?? ''} />;
}

/** Nothing is fetched from outside, so that a picture is its description. */
function ImageStandIn({ of }: { of: Dict }) {
  return (
    <span class="image-stand-in" role="img" aria-label={textAt(of, 'alt_text') ?? ''}>
      {textAt(of, 'alt_text')}
    </span>
  );
}
