// The countries where the law gives a right of withdrawal from contracts that are made online: Directive 2011/83/EU.

/** The EEA with the parts of France and Finland that have codes of their own, and the United Kingdom. */
export const lawfulCountries: readonly string[] =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO AX GF GP MF MQ RE YT GB'.split(
    ' ',
  )

/** The law of the European Union on goods holds in these. */
export const euCountries: readonly string[] = lawfulCountries.filter((code) => code !== 'GB')
