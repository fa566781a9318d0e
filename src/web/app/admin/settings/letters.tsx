// The settings screen of the author's letters.
import { settingValues } from '#contract/settings/settings.ts'
import { TextLink } from '../links.tsx'
import { defineSettings } from './settings-form.tsx'

const settings = defineSettings({
  group: 'letters',
  title: 'Letters',
  about: (
    <>
      Readers tick a box when they buy, or enter their address on the page of letters, to which the foot of
      each page leads, and confirm it by email. You write the letters in your own mail program;{' '}
      <TextLink to="/admin/users/letters">the list</TextLink> is yours as a CSV. Nothing of it is shown
      without a mail server.
    </>
  ),
  schema: settingValues.shape.letters,
  fields: {
    is_on: {
      label: 'Offer letters',
      hint: 'Switched off, nobody is asked any more; who is on the list stays on it.',
    },
    sender: { label: 'From whom', hint: 'As your letters name their sender, for example your name.' },
    topics: {
      label: 'What comes',
      hint: 'In the language of your book, as “news of my books”. Readers agree to these words.',
    },
    frequency: { label: 'How often', hint: 'As “about once a month”.' },
    program: {
      label: 'Mail program',
      hint: 'Its name and its company, where your letters are sent with one: it gets the addresses, so readers agree to it, and your privacy policy has to name it.',
    },
  },
})

export const { clientLoader, clientAction, shouldRevalidate } = settings
export default settings.Screen
