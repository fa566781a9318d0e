// The facts that consumers in the European Union are shown with a book on paper: the notice on the legal guarantee (Article 22a
// of Directive 2011/83/EU), and who has made it (Article 19 of Regulation (EU) 2023/988). It has no zod: public pages load
// this.
import type { Picture } from '../files/pictures.ts'
import type { Format } from '../catalog/formats.ts'

/** The Commission's "Practical guidelines and high-resolution vector files". */
export const noticePage =
  'https://commission.europa.eu/publications/practical-guidelines-and-high-resolution-vector-files-eu-notice-and-label-product-guarantees_en'

/** The official languages, in which the Commission publishes the notice. */
export const noticeLanguages = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'fi',
  'fr',
  'ga',
  'hr',
  'hu',
  'it',
  'lt',
  'lv',
  'mt',
  'nl',
  'pl',
  'pt',
  'ro',
  'sk',
  'sl',
  'sv',
] as const
export type NoticeLanguage = (typeof noticeLanguages)[number]

/** The one that a page in this language shows: English, where there is none in its own. */
export function noticeLanguage(tag: string): NoticeLanguage {
  const [language] = tag.toLowerCase().split('-')
  return noticeLanguages.find((each) => each === language) ?? 'en'
}

export const noticeFiles = ['notice.svg', 'notice.png', 'notice.jpg'] as const

/** The Commission's file, as it was uploaded. An SVG has the size of its view box. */
export type GuaranteeNotice = Picture & { file: (typeof noticeFiles)[number] }

export function noticeUrl({ id, file }: Pick<GuaranteeNotice, 'id' | 'file'>): string {
  return `/pictures/${id}/${file}`
}

export type EuPaper = {
  /** One line each; empty where it is not known. */
  maker: string
  eu_person: string
  isbns: Partial<Record<Format, string>>
  /** Null until the author has uploaded it. */
  notice: GuaranteeNotice | null
}

/** Working days. */
export type DeliveryDays = { min: number; max: number }
