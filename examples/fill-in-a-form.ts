/**
 * Show the form of a Gopher+ item (RFC 1738 §3.4.5), or submit answers to it (§3.4.9), one argument a question.
 *
 *     node examples/fill-in-a-form.ts gopher://gopher.example/0/guestbook Alice yes "A fine place"
 */
import { createClient } from '@retriever/client';
import { askUrl, gopher, parseAsk, type AskAnswer } from '@retriever/gopher';

const [item = 'gopher://gopher.example/0/guestbook', ...answers] = process.argv.slice(2);
// Only a program that means to submit forms lets line ends out of a URL.
await using client = createClient({ drivers: [gopher({ allowAskBlock: true })] });

const form = await client.retrieve(`${item}%09%09?`);
if (form.kind !== 'listing') throw new Error(`${item} has no form: it is a ${form.kind}`);
const questions = [];
for await (const { facts } of form.entries) questions.push(...parseAsk(String(facts?.['ask'] ?? '')).questions);

if (answers.length === 0) {
  for (const question of questions) {
    const choices = 'choices' in question && question.choices.length > 0 ? ` (${question.choices.join(', ')})` : '';
    console.log(`${question.type}: ${question.prompt}${choices}`);
  }
} else {
  const given = answers.values();
  const asked = questions.filter(({ type }) => type !== 'Note');
  const result = await client.retrieve(
    askUrl(
      item,
      asked.map(({ type }) => answer(type, given.next().value ?? '')),
    ),
  );
  if (result.kind !== 'content') throw new Error(`the answer is a ${result.kind}`);
  console.log(await result.body.text());
}

function answer(type: string, text: string): AskAnswer {
  if (type === 'Select') return text === 'yes';
  return type === 'AskL' ? text.split('\n') : text;
}
