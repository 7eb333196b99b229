import { Refused, violate } from '../core.ts';
import { textAt } from '../json.ts';
import { requireView } from '../limits/payloads.ts';
import { findPerson } from '../people.ts';
import { exchangeTrigger } from '../triggers.ts';
import { findView, openModal, publishHome, pushModal, updateView, viewOutput } from '../views.ts';
import { type Method, required } from './method.ts';

const method = (run: Method['run']): Method => ({ token: 'bot', scopes: [], tier: 4, run });

export const viewMethods: Record<string, Method> = {
  'views.open': method((core, args) => {
    const view = requireView(core, args['view'], 'modal', 'views.open');
    const trigger = exchangeTrigger(core, args['trigger_id'], 'views.open');
    // Slack answers ok, but whether the person sees anything depends on the client (slack.md, pitfall 19).
    if (trigger.viewId) violate(core, 'views.open from inside a modal; push or update instead', 'views.open', view);
    return { view: viewOutput(core, openModal(core, trigger.user, view)) };
  }),
  'views.push': method((core, args) => {
    const view = requireView(core, args['view'], 'modal', 'views.push');
    const trigger = exchangeTrigger(core, args['trigger_id'], 'views.push');
    // Only an act inside an open modal gives a trigger that can push.
    if (!trigger.viewId || !core.state.stacks[trigger.user]?.includes(trigger.viewId))
      throw new Refused('invalid_trigger_id');
    return { view: viewOutput(core, pushModal(core, trigger.user, view)) };
  }),
  'views.update': method((core, args) => {
    if (!textAt(args, 'view_id') && !textAt(args, 'external_id')) required(args, 'view_id');
    const current = findView(core, { id: textAt(args, 'view_id'), externalId: textAt(args, 'external_id') });
    const view = requireView(core, args['view'], current.type, 'views.update');
    return { view: viewOutput(core, updateView(core, current, view, textAt(args, 'hash'))) };
  }),
  'views.publish': method((core, args) => {
    if (!core.settings.homeTabEnabled) throw new Refused('not_enabled');
    const user = findPerson(core.state, required(args, 'user_id'))?.id;
    if (user === undefined) throw new Refused('invalid_arguments');
    const view = requireView(core, args['view'], 'home', 'views.publish');
    return { view: viewOutput(core, publishHome(core, user, view, textAt(args, 'hash'))) };
  }),
};
