// What programs write where an author left a field empty. It is no text.
const placeholder = new RegExp(
  [
    '^[\\[({<"“]*(unknown|unkown|untitled|unnamed|none|null|undefined|n/?a|tba|tbd|not (set|specified|available|known)|',
    '(no|unknown|default|your|enter|insert|sample|add|missing|empty) ?(a |the |your )?(book|document)? ?(title|name|author|author name|creator|writer|artist|description|publisher|language|comments?|summary)s?( name)?( here| yet| available| provided| given| goes here)?|',
    '(untitled|new|unnamed) (book|document|e-?book|project|manuscript)?( ?\\d+)?|document ?\\d*|book title|author name|lorem ipsum.*|calibre( .*)?|unbekannt|ohne titel|unbenannt|inconnue?|sans titre|desconocido|sin t[íi]tulo|sconosciuto|senza titolo|desconhecido|sem t[íi]tulo|onbekend|okänd|',
    'неизвест(ен|но|ный|ный автор)|без названия|неизвестный|без имени|άγνωστος|χωρίς τίτλο|不明|無題|著者不明|未知|佚名|无标题|無標題|مجهول|غير معروف|بدون عنوان|제목 없음|알 수 없음)[\\])}>"”.!…]*$',
  ].join(''),
  'iu',
)

/** Undefined where nobody has written it. */
export function meaningful(text: string | undefined): string | undefined {
  const words = (text ?? '').trim()
  const isWritten = /[\p{L}\p{N}]/u.test(words) && words !== 'anonymous'
  return isWritten && !placeholder.test(words) ? words : undefined
}
