// The sample book: what its files, its cover and its page say of it.

const product = "Nine P's"
const titlePattern = '{product} that Change Everything'

export const book = {
  product,
  titlePattern,
  title: titlePattern.replace('{product}', product),
  subtitle: 'A blueprint for a faith that holds',
  description:
    'Nine short chapters on nine words of Scripture: what God has done, what he gives, and how a life is built on it.',
  language: 'en',
  author: { name: 'The Author' },
  words: [
    { word: 'Propitiation', line: 'The cost of peace with God, paid in full by another.' },
    { word: 'Praise', line: 'The answer of a heart that has seen what it was given.' },
    { word: 'Provision', line: 'Daily bread from the Father who knows before we ask.' },
    { word: 'Protection', line: 'A refuge that stands when every other wall has fallen.' },
    { word: 'Peace', line: 'A quiet that does not wait for the storm to pass.' },
    { word: 'Promise', line: 'Words that have never once failed to come true.' },
    { word: 'Power', line: 'Strength made perfect in the places where we are weak.' },
    { word: 'Perseverance', line: 'Grace to keep walking when the road is long.' },
    { word: 'Presence', line: 'The gift behind all the gifts: God with us, always.' },
  ],
} as const
