// Made by `npm run edition` from the Markdown in content/edition: change the words there, not here.
import type { Chapter } from '@lectern/sample-edition'

export const preface: Chapter = {
  slug: 'introduction',
  number: 0,
  title: 'Before you begin',
  blocks: [
    {
      kind: 'paragraph',
      spans: [
        { text: 'Some words grow smooth from handling. ' },
        { text: 'Peace', emphasis: true },
        { text: ' is printed on greeting cards. ' },
        { text: 'Power', emphasis: true },
        { text: ' belongs to batteries and presidents. ' },
        { text: 'Praise', emphasis: true },
        {
          text: ' is what we give to good dogs and small children. We have said the great words of faith so often, and in so many small places, that they pass through our hands like worn coins, with hardly a face left on them.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [{ text: 'This little book is an attempt to hold nine of those coins up to the light.' }],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'They all begin with the same letter, which is a help to the memory and nothing more. What binds them together is the order in which they come. ',
        },
        { text: 'Propitiation', emphasis: true },
        {
          text: ' is first, the strangest word of the nine, because everything else stands on it: the good news begins not with what we do for God but with what he has done for us. ',
        },
        { text: 'Praise', emphasis: true },
        {
          text: ' is second, since it is the only sensible answer. Then come four gifts, the things a child may look for from such a Father: ',
        },
        { text: 'provision', emphasis: true },
        { text: ', ' },
        { text: 'protection', emphasis: true },
        { text: ', ' },
        { text: 'peace', emphasis: true },
        { text: ' and ' },
        { text: 'promise', emphasis: true },
        { text: '. Two words follow for the long middle of the road, where most of life is lived: ' },
        { text: 'power', emphasis: true },
        { text: ', for those who have run out of their own, and ' },
        { text: 'perseverance', emphasis: true },
        { text: ', for those who are not home yet. And the last word, ' },
        { text: 'presence', emphasis: true },
        {
          text: ', turns out to have been the reason for the first. God dealt with our sin because he wanted us near.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'You might call it a blueprint. Jesus once compared two builders whose houses, from the road, must have looked much alike.',
        },
      ],
    },
    {
      kind: 'quotation',
      lines: [
        [
          {
            text: 'Everyone therefore who hears these words of mine and does them, I will liken him to a wise man who built his house on a rock. The rain came down, the floods came, and the winds blew and beat on that house; and it didn’t fall, for it was founded on the rock.',
          },
        ],
      ],
      reference: 'Matthew 7:24–25',
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'Read on a verse or two and you find the very same rain, the same floods and the same winds at the other man’s door. Faith did not spare the wise man his storm. The whole difference between the houses lay underneath them, where no visitor ever looks. These nine chapters are about what lies underneath.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'They are short. Read one a day, or one a week. Each ends with a prayer to pray or a question to carry, because a truth has not been learned until it has come along with us into an ordinary Tuesday. Read with a Bible open beside you, look up what is quoted, and read what stands around it. Where this book and that one seem to disagree, believe that one.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'You need not be an expert to begin, nor feel particularly devout. You may have believed for fifty years, or be standing on the porch wondering whether anyone is home. Nothing here is new, and that is rather the hope of it. What is old and true does not need improving. It needs to be looked at, slowly, until we see it.',
        },
      ],
    },
  ],
}
