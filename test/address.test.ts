/** Addresses and first names: their stored form, and what is no address or cannot be invited. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeEmail, normalizeFirstName } from '../lib/addresses/address.ts';
import { normalizeInvitedEmail, readableEmail } from '../lib/addresses/normalize.ts';

const EVA = 'eva@bücher.example.com';
const EVA_ASCII = 'eva@xn--bcher-kva.example.com';
const ADA = 'ada@example.com';

const MARKS =
  '\u00ad \u061c \u180e \u200b \u200c \u200d \u200e \u200f \u202a \u202e \u2060 \u2066 \u2069 \ufeff \u{e0001} \ufe0f \u034f \u3164 \u2800 \ufffc';
for (const mark of [...MARKS.split(' '), ' ', '\u00a0', '\u3000', '\n', '\t'])
  it(`U+${mark.codePointAt(0)?.toString(16)} is stripped at both ends, and refused inside`, () => {
    const typed = `${mark} ${ADA}${mark}${mark}`;
    assert.deepEqual([normalizeEmail(typed), normalizeInvitedEmail(typed)], [ADA, ADA]);
    assert.equal(normalizeFirstName(`${mark}Ada ${mark}`), 'Ada');
    for (const inside of [`a${mark}da@b.com`, `ada${mark}@b.com`, `ada@b${mark}b.com`])
      assert.equal(normalizeInvitedEmail(inside), undefined);
  });

describe('an invite', () => {
  const REFUSED: Readonly<Record<string, string>> = {
    'that needs quotes':
      '<ada@b.c> ada@b.c, ada@b.c; a,b@b.c a;b@b.c x:ada@b.c (a)@b.c "a"@b.c a[d]a@b.c a\\da@b.c',
    'with typographic punctuation':
      'a@b.c，a a、b@b.c “a”@b.c a’b@b.c a‐b@b.c a\u2011b@b.c a…@b.c a@b.c— a@b.c… a@b\u2010b.c',
    'behind a bullet':
      '•ada@b.c –ada@b.c →ada@b.c ✉ada@b.c 📧ada@b.c ·ada@b.c ¿ada@b.c ①ada@b.c \uf0b7ada@b.c',
    'with a footnote': 'ada¹@b.c ada@b.com¹ ada@b.com❶ ada†@b.c ada@b.com† ada@b.com* ada@b.com1',
    'with what follows it':
      'ada@b.com—Ada ada@b.com✅ ada@b.com® ada@b.com™ ada@b.com℠ ada@b.com|A ada@b.com/',
    'with Arabic punctuation': 'ada@b.com، ada@b.com؛ ada@b.com؟ ،ada@b.com علي؛@b.com ada@b.com۔',
    'with an odd edge':
      '\u0301a@b.com ˑada@b.com ada@b.comʼ ada@b.comـ .a@b.com a.@b.com a..b@b.com a@-b.com a@b-.com',
    'with letters of a PDF': 'o\ufb03ce@b.com ﻋﻠﻲ@b.com ａｄａ@b.com',
    'without a domain':
      'a@b..c a@.b.c a@b_c.d a@b.c. a@b.1 a@1.2.3.4 a@b.c-d a@💩.com a@xn--ls8h.com',
    'in a link that has none':
      'mailto: mailto:ada https://b.c/#end https://b.c/ada@b.c b.c/#x:y@b.c',
  };
  for (const [what, texts] of Object.entries(REFUSED))
    it(`${what} is refused`, () => {
      for (const typed of texts.split(' '))
        assert.equal(normalizeInvitedEmail(typed), undefined, typed);
    });

  const TAKEN = `o'brien+a.b_c-d/e=f!#$%&*?^\`{|}~@b.c ada+x@b.c o'brien@b.c =+~'&$@b.c 1@2.b.c
    müller@b.c zoe${'\u0308'}@b.c ışık@b.c işçi@b.c देव@उदाहरण.भारत உதாரணம்@இந்தியா.சிங்கப்பூர்
    น้ำ@ตัวอย่าง.ไทย علي@مثال.السعودية عَلِيّ١@مثال.امارات דוד@דוגמה.ישראל юлія@приклад.укр ёж@пример.рф
    Nikos.Ώ@παράδειγμα.ελ 用户@例え.テスト 김@보기.한국 a@faß.de a@ｅｘａｍｐｌｅ．com a@例え。テスト
    a@xn--80akhbyknj4f.xn--p1ai a@b.xn--zzzz99`;
  it('with letters, marks and digits of any script is taken', () => {
    for (const typed of TAKEN.split(/\s+/))
      assert.equal(normalizeInvitedEmail(typed), normalizeEmail(typed) ?? '', typed);
  });

  for (const [link, email] of [
    ['mailto:ada@example.com', ADA],
    [' MAILTO:ada%40example.com?subject=Hello:%20x ', ADA],
    ['https://preview.example.com/#ada@example.com', ADA],
    ['localhost:3000/#ada%2Bx@b%C3%BCcher.example.com', 'ada+x@xn--bcher-kva.example.com'],
    ['mailto:100%@example.com', '100%@example.com'],
  ] as const)
    it(`is the address in ${link}`, () => assert.equal(normalizeInvitedEmail(link), email));

  it('is checked more than a login, so that tools can remove what is there', () => {
    for (const typed of ['<ada@b.c>', '•ada@b.c', 'ada@b.c.', 'ada@b.c1', 'mailto:ada@b.c'])
      assert.equal(normalizeEmail(typed), typed);
  });
});

describe('an address', () => {
  const ASCII: Readonly<Record<string, string>> = {
    ' Eva@BÜCHER.Example.com ': EVA_ASCII,
    'eva@XN--BCHER-KVA.example.com': EVA_ASCII,
    'eva@bu\u0308cher.example.com': EVA_ASCII,
    'eva@bücher。example．com': EVA_ASCII,
    'eva@ｅｘａｍｐｌｅ．com': 'eva@example.com',
    'eva@faß.example.com': 'eva@xn--fa-hia.example.com',
    'éva@例え.テスト': 'éva@xn--r8jz45g.xn--zckzah',
    'eva@💩.example.com': 'eva@xn--ls8h.example.com',
    'eva@bücher.example.com.': `${EVA_ASCII}.`,
    'İPEK@İSTANBUL.example.com': 'ipek@istanbul.example.com',
    'I\u0307\u0307PEK@i\u0307ŞLEM.example.com': 'ipek@xn--ilem-55a.example.com',
    'IŞIK@example.com': 'işik@example.com',
    'ışık@example.com': 'ışık@example.com',
  };
  for (const [typed, ascii] of Object.entries(ASCII))
    it(`${typed} is stored as ${ascii}`, () => assert.equal(normalizeEmail(typed), ascii));

  const ODD =
    '1.2 0x7f.1 1.2.3.4 [::1.2] foo.1 b.example/c.d b.ex%61mple b.example?c b.example:80 xn--a.com example.com. a..b a_b.com';
  it('whose domain is in ASCII already is stored and shown unchanged', () => {
    for (const email of ODD.split(' ').map((domain) => `eva@${domain}`))
      assert.deepEqual([normalizeEmail(email), readableEmail(email)], [email, email]);
  });

  const WITHOUT_ASCII =
    '１.２ ①.②． ü.1 ü.example/x.y ü.ex%61mple ü.example?x ü.example#x ü.example\\x ü.example:80 a\u200db.com \u0301a.com xn--ü.com \u00ad.com a.\u00ad';
  it('whose domain has no ASCII form is invalid', () => {
    for (const domain of WITHOUT_ASCII.split(' '))
      assert.equal(normalizeEmail(`eva@${domain}`), undefined, domain);
  });

  it('has at most 254 characters in ASCII', () => {
    const room = 254 - EVA_ASCII.length;
    assert.equal(normalizeEmail(`${'a'.repeat(room)}${EVA}`)?.length, 254);
    assert.equal(normalizeEmail(`${'a'.repeat(room + 1)}${EVA}`), undefined);
    assert.equal(normalizeEmail(`eva@${'\u00ad'.repeat(508)}bücher.example.com`), undefined);
  });

  it('is shown readable if that is the same address', () => {
    const SHOWN = {
      [EVA_ASCII]: EVA,
      'eva@xn--fa-hia.xn--zckzah': 'eva@faß.テスト',
      'eva@xn--ls8h.example.com': 'eva@💩.example.com',
      'eva@xn--4dbrk0ce.example.com': 'eva@ישראל.example.com',
    };
    for (const [email, shown] of Object.entries(SHOWN)) assert.equal(readableEmail(email), shown);
    const STORED = `eva@xn--1ugz855p6kd.example.com eva@xn--a.com eva@xn--99999999999.com eva@xn--.com
      eva@xn--bcher-kva.example.com/x.y xn--bcher-kva@example.com eva@example.com cli`;
    for (const email of STORED.split(/\s+/)) assert.equal(readableEmail(email), email);
  });
});
