import { EditionMails } from '../mail-choices/edition-mails.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: EditionMails })
