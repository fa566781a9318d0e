// Made by `npm run edition` from the Markdown in content/edition: change the words there, not here.
import type { Chapter } from '@lectern/sample-edition'

export const firstChapter: Chapter = {
  slug: 'propitiation',
  number: 1,
  title: 'Propitiation',
  blocks: [
    {
      kind: 'quotation',
      lines: [
        [
          {
            text: 'In this is love, not that we loved God, but that he loved us, and sent his Son as the atoning sacrifice for our sins.',
          },
        ],
      ],
      reference: '1 John 4:10',
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'It is not a word for small talk. Many modern Bibles have quietly let it go and say “atoning sacrifice” instead, which is plainer and tells us much of what we need. But the old word has a weight worth feeling once. To propitiate is to turn away anger, justly held, by a gift that answers it.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'We flinch at that, and not without reason. The ancient world was full of propitiation of the wrong sort: frightened people carrying presents to touchy gods, hoping to buy a harvest or a quiet sea. If that were all the word meant, it would deserve to be lost. But watch how Scripture uses it, and everything runs the other way. In the religions of fear, people pay and the god is paid. At the cross God himself provides the offering, and God the Son ',
        },
        { text: 'is', emphasis: true },
        {
          text: ' the offering. John does not say that Jesus died to persuade the Father to love us. He says that the Father sent the Son because he loved us already.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'Why should there have been a price at all? Because loving is not the same as not minding. A judge who shrugs at cruelty is kind to nobody, least of all to the one who was hurt. If God could look upon all that we have done to one another, the lies and the long neglect, the small unkindnesses in rooms where no one saw, and feel nothing, he would not be more loving than he is, but less. His anger is not a temper. It is the refusal of perfect love to make its peace with whatever ruins the beloved.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'So this is what the cross had to answer: how can the One who will never pretend about evil open his arms to people who have done it? Paul says it in a sentence that the church has not finished thinking about. God sent his Son “to be an atoning sacrifice through faith in his blood,” so that he might “himself be just and the justifier of him who has faith in Jesus” (Romans 3:25–26). Just, ',
        },
        { text: 'and', emphasis: true },
        { text: ' the justifier. Nothing was waved through. Nothing was left owing.' },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'Jesus told a story of two men who went up to the temple to pray. One of them gave God a report on his own good conduct. The other stood far away, would not lift his eyes, and said seven words: “God, be merciful to me, a sinner!” (Luke 18:13). In Luke’s Greek his plea is no general cry for pity. It borrows the word of the altar: ',
        },
        { text: 'God, be propitiated toward me.', emphasis: true },
        {
          text: ' He had no gift in his hand. He only asked that, in the place of sacrifice, there might be something there for him. And he went home justified. The one who told that story was on the road to Jerusalem, to become its answer.',
        },
      ],
    },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'Here is the ground floor of faith. If your standing with God rests on how the week has gone, it will rise and fall with your weeks. If it rests on what was finished outside Jerusalem one dark afternoon, it is as steady as any other thing that has already happened. You may bring him what you have never told anyone. It has been seen. It has been paid for. And you were loved before you came.',
        },
      ],
    },
    { kind: 'heading', level: 2, text: 'A prayer' },
    {
      kind: 'paragraph',
      spans: [
        {
          text: 'Father, I have carried you presents to win what you had already given. Teach me to set them down. For what I have done, and for what I have left undone, I have no answer but your Son, and he is enough. God, be merciful to me, a sinner. Amen.',
        },
      ],
    },
  ],
}
