import { useContext, useEffect, useState } from 'preact/hooks';
import { keyOf, type Reference } from '../model/route.ts';
import { Conversation } from './conversation.ts';
import { Shared } from './shared.ts';

/** By resource: they last as long as the page. */
const conversations = new Map<string, Conversation>();

/** The conversation with a resource; what uses it is drawn again with each piece of an answer. */
export function useConversation(of: Reference): Conversation {
  const { server } = useContext(Shared);
  const key = keyOf(of);
  const conversation = conversations.get(key) ?? new Conversation(server, of);
  conversations.set(key, conversation);
  const [, redraw] = useState(0);
  useEffect(() => conversation.onChange(() => redraw((times) => times + 1)), [conversation]);
  return conversation;
}
