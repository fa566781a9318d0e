// The island of the page on which a reader chooses emails.
import { LettersConsent } from './letters-consent.tsx'
import { EditionMails } from './edition-mails.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) =>
  startIslands(islands, { page: EditionMails, letters: LettersConsent })
