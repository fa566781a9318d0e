// The island of the contact form.
import { ContactForm } from './contact-form.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { form: ContactForm })
