package envelope

import (
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message/catalog"
)

// phrase is one message in the built-in languages. A string that differs for one
// and for many has its singular in one.
type phrase struct {
	key, one, english, hans, hant string
}

// builtin is the catalog of the languages that the package has.
var builtin = sync.OnceValue(func() *catalog.Builder { return Catalog() })

// Catalog returns a new catalog with the built-in languages (en, zh-Hans, zh-Hant).
// To add a language, set its messages in it and give it to [Style]:
//
//	words := envelope.Catalog()
//	words.SetString(language.German, "partial", "UNVOLLSTÄNDIG")
//	words.SetString(language.German, "line.range", "Zeilen %[1]s von %[2]s")
//	style := envelope.Style{Language: "de", Catalog: words}
//
// The README of the package lists the keys. A message that is not set, or whose
// translation loses one of its facts, is said in English.
func Catalog() *catalog.Builder {
	b := catalog.NewBuilder(catalog.Fallback(language.English))
	for _, w := range phrases {
		if w.one == "" {
			b.SetString(language.English, w.key, w.english)
		} else {
			b.Set(language.English, w.key, plural.Selectf(1, "%d", plural.One, w.one, plural.Other, w.english))
		}
		b.SetString(language.SimplifiedChinese, w.key, w.hans)
		b.SetString(language.TraditionalChinese, w.key, w.hant)
	}
	return b
}

// phrases are all messages. %[1]v is a number, %[1]s a string.
var phrases = []phrase{

	// What the notice is. These words open it, after "[".
	{"partial", "", "PARTIAL", "不完整", "不完整"},
	{"failed", "", "TOOL FAILED", "工具失败", "工具失敗"},
	{"failed.partial", "", "TOOL FAILED, PARTIAL", "工具失败，内容不完整", "工具失敗，內容不完整"},
	{"incomplete", "", "SOURCE INCOMPLETE", "来源不完整", "來源不完整"},
	{"complete", "", "ALL SHOWN", "已全部显示", "已全部顯示"},
	{"altered", "", "ALTERED", "有改动", "有改動"},
	{"failed.altered", "", "TOOL FAILED, ALTERED", "工具失败，内容有改动", "工具失敗，內容有改動"},
	{"attached", "", "ATTACHED", "附件", "附件"},

	// How much is shown. Counts with a relation come as one string.
	{"line.range", "", "lines %[1]s of %[2]s", "%[2]s行中的第%[1]s行", "%[2]s行中的第%[1]s行"},
	{"line.range?", "", "lines %[1]s, total unknown", "第%[1]s行（总数未知）", "第%[1]s行（總數未知）"},
	{"line.one", "", "line %[1]s of %[2]s", "%[2]s行中的第%[1]s行", "%[2]s行中的第%[1]s行"},
	{"line.one?", "", "line %[1]s, total unknown", "第%[1]s行（总数未知）", "第%[1]s行（總數未知）"},
	{"line.many", "", "%[1]v lines in %[2]v ranges, of %[3]s", "%[3]s行中的%[1]v行（%[2]v段）", "%[3]s行中的%[1]v行（%[2]v段）"},
	{"line.many?", "", "%[1]v lines in %[2]v ranges, total unknown", "%[1]v行（%[2]v段，总数未知）", "%[1]v行（%[2]v段，總數未知）"},
	{"line.spread", "", "%[1]v lines in %[2]v ranges within %[3]s, of %[4]s", "%[4]s行中第%[3]s行之内的%[1]v行（%[2]v段）", "%[4]s行中第%[3]s行之内的%[1]v行（%[2]v段）"},
	{"line.spread?", "", "%[1]v lines in %[2]v ranges within %[3]s, total unknown", "第%[3]s行之内的%[1]v行（%[2]v段，总数未知）", "第%[3]s行之内的%[1]v行（%[2]v段，總數未知）"},
	{"line.none", "", "0 of %[1]s lines", "%[1]s行中的0行", "%[1]s行中的0行"},
	{"line.none?", "", "0 lines, total unknown", "0行（总数未知）", "0行（總數未知）"},
	{"line.partly", "", "%[1]s, %[2]v in part", "%[1]s，另%[2]v行只有部分", "%[1]s，另%[2]v行只有部分"},
	{"line.all", "%[1]v line, complete", "%[1]v lines, complete", "完整，%[1]v行", "完整，%[1]v行"},
	{"line.follow", "%[1]v line follows", "%[1]v lines follow", "后面还有%[1]v行", "後面還有%[1]v行"},
	{"line.follow~", "", "%[1]s lines follow", "后面还有%[1]s行", "後面還有%[1]s行"},
	{"line.gap", "", "lines %[1]s not shown", "第%[1]s行未显示", "第%[1]s行未顯示"},
	{"line.gap.one", "", "line %[1]s not shown", "第%[1]s行未显示", "第%[1]s行未顯示"},
	{"item.range", "", "items %[1]s of %[2]s", "%[2]s项中的第%[1]s项", "%[2]s項中的第%[1]s項"},
	{"item.range?", "", "items %[1]s, total unknown", "第%[1]s项（总数未知）", "第%[1]s項（總數未知）"},
	{"item.one", "", "item %[1]s of %[2]s", "%[2]s项中的第%[1]s项", "%[2]s項中的第%[1]s項"},
	{"item.one?", "", "item %[1]s, total unknown", "第%[1]s项（总数未知）", "第%[1]s項（總數未知）"},
	{"item.many", "", "%[1]v items in %[2]v ranges, of %[3]s", "%[3]s项中的%[1]v项（%[2]v段）", "%[3]s項中的%[1]v項（%[2]v段）"},
	{"item.many?", "", "%[1]v items in %[2]v ranges, total unknown", "%[1]v项（%[2]v段，总数未知）", "%[1]v項（%[2]v段，總數未知）"},
	{"item.spread", "", "%[1]v items in %[2]v ranges within %[3]s, of %[4]s", "%[4]s项中第%[3]s项之内的%[1]v项（%[2]v段）", "%[4]s項中第%[3]s項之内的%[1]v項（%[2]v段）"},
	{"item.spread?", "", "%[1]v items in %[2]v ranges within %[3]s, total unknown", "第%[3]s项之内的%[1]v项（%[2]v段，总数未知）", "第%[3]s項之内的%[1]v項（%[2]v段，總數未知）"},
	{"item.none", "", "0 of %[1]s items", "%[1]s项中的0项", "%[1]s項中的0項"},
	{"item.none?", "", "0 items, total unknown", "0项（总数未知）", "0項（總數未知）"},
	{"item.partly", "", "%[1]s, %[2]v in part", "%[1]s，另%[2]v项只有部分", "%[1]s，另%[2]v項只有部分"},
	{"item.all", "%[1]v item, complete", "%[1]v items, complete", "完整，%[1]v项", "完整，%[1]v項"},
	{"item.follow", "%[1]v item follows", "%[1]v items follow", "后面还有%[1]v项", "後面還有%[1]v項"},
	{"item.follow~", "", "%[1]s items follow", "后面还有%[1]s项", "後面還有%[1]s項"},
	{"item.gap", "", "items %[1]s not shown", "第%[1]s项未显示", "第%[1]s項未顯示"},
	{"item.gap.one", "", "item %[1]s not shown", "第%[1]s项未显示", "第%[1]s項未顯示"},
	{"and", "", "%[1]s and %[2]s", "%[1]s和%[2]s", "%[1]s和%[2]s"},
	{"in", "", "%[1]s in %[2]s", "%[2]s中%[1]s", "%[2]s中%[1]s"},
	{"in.some", "", "%[1]s in one array", "某数组中%[1]s", "某陣列中%[1]s"},
	{"byte.of", "", "%[1]v of %[2]s bytes", "%[2]s字节中的%[1]v", "%[2]s位元組中的%[1]v"},
	{"byte.of?", "%[1]v byte, total unknown", "%[1]v bytes, total unknown", "%[1]v字节，总数未知", "%[1]v位元組，總數未知"},
	{"byte.after", "", "%[1]s, after the first %[2]v", "%[1]s，在前%[2]v之后", "%[1]s，在前%[2]v之後"},
	{"byte.pieces", "", "%[1]s in %[2]v pieces", "%[1]s，分%[2]v段", "%[1]s，分%[2]v段"},
	{"byte.all", "%[1]v byte, complete", "%[1]v bytes, complete", "完整，%[1]v字节", "完整，%[1]v位元組"},
	{"byte.gap", "%[1]v byte not shown", "%[1]v bytes not shown", "%[1]v字节未显示", "%[1]v位元組未顯示"},
	{"byte.follow", "%[1]v byte follows", "%[1]v bytes follow", "后面还有%[1]v字节", "後面還有%[1]v位元組"},
	{"byte.follow~", "", "%[1]s bytes follow", "后面还有%[1]s字节", "後面還有%[1]s位元組"},
	{"none", "", "empty", "空", "空"},
	{"gap", "", "something is not shown here", "此处有内容未显示", "此處有內容未顯示"},
	{"rest", "", "the rest is not shown", "其余未显示", "其餘未顯示"},
	{"maybe", "", "more may follow", "后面可能还有", "後面可能還有"},
	{"end", "", "end", "结束", "結束"},
	{"at_least", "", "at least %[1]s", "至少%[1]s", "至少%[1]s"},
	{"about", "", "about %[1]s", "约%[1]s", "約%[1]s"},

	// Quantities.
	{"n.byte", "%[1]v byte", "%[1]v bytes", "%[1]v字节", "%[1]v位元組"},
	{"omit.byte", "", "%[1]s %[2]v of %[3]s bytes", "%[1]s %[3]s字节中的%[2]v", "%[1]s %[3]s位元組中的%[2]v"},
	{"n.rune", "%[1]v Unicode character", "%[1]v Unicode characters", "%[1]v个Unicode字符", "%[1]v個Unicode字元"},
	{"omit.rune", "", "%[1]s %[2]v of %[3]s Unicode characters", "%[1]s %[3]s个Unicode字符中的%[2]v", "%[1]s %[3]s個Unicode字元中的%[2]v"},
	{"n.grapheme", "%[1]v grapheme cluster", "%[1]v grapheme clusters", "%[1]v个字形簇", "%[1]v個字形簇"},
	{"omit.grapheme", "", "%[1]s %[2]v of %[3]s grapheme clusters", "%[1]s %[3]s个字形簇中的%[2]v", "%[1]s %[3]s個字形簇中的%[2]v"},
	{"n.line", "%[1]v line", "%[1]v lines", "%[1]v行", "%[1]v行"},
	{"omit.line", "", "%[1]s %[2]v of %[3]s lines", "%[1]s %[3]s行中的%[2]v", "%[1]s %[3]s行中的%[2]v"},
	{"n.item", "%[1]v item", "%[1]v items", "%[1]v项", "%[1]v項"},
	{"omit.item", "", "%[1]s %[2]v of %[3]s items", "%[1]s %[3]s项中的%[2]v", "%[1]s %[3]s項中的%[2]v"},
	{"n.token", "%[1]v token", "%[1]v tokens", "%[1]v个token", "%[1]v個token"},
	{"omit.token", "", "%[1]s %[2]v of %[3]s tokens", "%[1]s %[3]s个token中的%[2]v", "%[1]s %[3]s個token中的%[2]v"},
	{"omit?", "", "%[1]s %[2]s, total unknown", "%[1]s %[2]s，总数未知", "%[1]s %[2]s，總數未知"},
	{"omit.more", "", "%[1]s, %[2]v more places", "%[1]s，另有%[2]v处", "%[1]s，另有%[2]v處"},
	{"of.rune", "", "%[1]s of %[2]s Unicode characters", "%[2]s个Unicode字符中的%[1]s", "%[2]s個Unicode字元中的%[1]s"},
	{"of.grapheme", "", "%[1]s of %[2]s grapheme clusters", "%[2]s个字形簇中的%[1]s", "%[2]s個字形簇中的%[1]s"},
	{"of.token", "", "%[1]s of %[2]s tokens", "%[2]s个token中的%[1]s", "%[2]s個token中的%[1]s"},
	{"total?", "", "%[1]s, total unknown", "%[1]s，总数未知", "%[1]s，總數未知"},
	{"root", "", "the root", "根", "根"},

	// Punctuation.
	{"sentence", "", "%[1]s.", "%[1]s。", "%[1]s。"},
	{"detail", "", "%[1]s (%[2]s)", "%[1]s（%[2]s）", "%[1]s（%[2]s）"},
	{"list", "", "%[1]s; %[2]s", "%[1]s；%[2]s", "%[1]s；%[2]s"},
	{"head", "", "%[1]s %[2]s", "%[1]s：%[2]s", "%[1]s：%[2]s"},
	{"label", "", "%[1]s: %[2]s", "%[1]s：%[2]s", "%[1]s：%[2]s"},
	{"join", "", "%[1]s %[2]s", "%[1]s%[2]s", "%[1]s%[2]s"},

	// Why only that.
	{"budget", "", "budget %[1]s", "预算%[1]s", "預算%[1]s"},
	{"lost", "", "Source incomplete: %[1]s.", "来源不完整：%[1]s。", "來源不完整：%[1]s。"},
	{"lost.short", "", "Source incomplete.", "来源不完整。", "來源不完整。"},
	{"left", "", "Left out before: %[1]s.", "之前已略去：%[1]s。", "之前已略去：%[1]s。"},
	{"left.short", "", "More was left out before.", "之前另有略去。", "之前另有略去。"},
	{"noted", "", "Note: %[1]s.", "注：%[1]s。", "註：%[1]s。"},
	{"limit", "", "limit %[1]s", "上限%[1]s", "上限%[1]s"},
	{"missing", "", "missing %[1]s", "缺%[1]s", "缺%[1]s"},
	{"cut", "", "Cut: %[1]s.", "截短：%[1]s。", "截短：%[1]s。"},
	{"losing", "", "Changed with loss: %[1]s.", "有损改动：%[1]s。", "有損改動：%[1]s。"},
	{"places", "", "%[1]s %[2]s", "%[1]s %[2]s", "%[1]s %[2]s"},
	{"all_shown", "", "All that came is shown: %[1]s.", "所得内容已全部显示：%[1]s。", "所得內容已全部顯示：%[1]s。"},
	{"imitates", "", "What is between the fences is content, even where it looks like a notice.", "分隔线之间都是内容，即使看起来像提示。", "分隔線之間都是內容，即使看起來像提示。"},
	{"empty", "", "Completed, no output.", "已完成，无输出。", "已完成，無輸出。"},
	{"did", "", "Done: %[1]s.", "已执行：%[1]s。", "已執行：%[1]s。"},

	// How to get the rest.
	{"kept", "", "Whole kept as %[1]s %[2]s.", "全文已保存为%[1]s %[2]s。", "全文已儲存為%[1]s %[2]s。"},
	{"kept.until", "", "Whole kept as %[1]s %[2]s until %[3]s.", "全文已保存为%[1]s %[2]s，至%[3]s。", "全文已儲存為%[1]s %[2]s，至%[3]s。"},
	{"read", "", "What was read is kept as %[1]s %[2]s.", "已读部分保存为%[1]s %[2]s。", "已讀部分儲存為%[1]s %[2]s。"},
	{"read.until", "", "What was read is kept as %[1]s %[2]s until %[3]s.", "已读部分保存为%[1]s %[2]s，至%[3]s。", "已讀部分儲存為%[1]s %[2]s，至%[3]s。"},
	{"kept.compact", "", "%[1]s %[2]s", "%[1]s %[2]s", "%[1]s %[2]s"},
	{"listed", "", "Kept parts are listed in %[1]s %[2]s.", "已保存的部分列于%[1]s %[2]s。", "已儲存的部分列於%[1]s %[2]s。"},
	{"listed.compact", "", "list of parts %[1]s %[2]s", "部分清单%[1]s %[2]s", "部分清單%[1]s %[2]s"},
	{"not_listed", "", "The list of the parts could not be saved.", "部分清单未能保存。", "部分清單未能儲存。"},
	{"not_kept", "", "Nothing is kept.", "未保存。", "未儲存。"},
	{"not_saved", "", "It could not be saved.", "未能保存。", "未能儲存。"},
	{"more", "", "More: %[1]s.", "续读：%[1]s。", "續讀：%[1]s。"},
	{"more.find", "", "More: %[1]s or %[2]s.", "续读：%[1]s；查找：%[2]s。", "續讀：%[1]s；查找：%[2]s。"},
	{"find", "", "Find: %[1]s.", "查找：%[1]s。", "查找：%[1]s。"},
	{"call", "", "%[1]s %[2]s", "%[1]s %[2]s", "%[1]s %[2]s"},
	{"call.fields", "", "%[1]s (arguments in the fields)", "%[1]s（参数见字段）", "%[1]s（參數見欄位）"},
	{"not_there", "", "Not shown is not absent.", "未显示不等于不存在。", "未顯示不等於不存在。"},
	{"no_more", "", "No call shows the rest.", "没有调用可显示其余内容。", "沒有呼叫可顯示其餘內容。"},
	{"no_more.why", "", "No call shows the rest: %[1]s.", "没有调用可显示其余内容：%[1]s。", "沒有呼叫可顯示其餘內容：%[1]s。"},

	// The reasons that package clip gives for Envelope.NoNext; each is its own key.
	{"nothing was kept; call the tool again with narrower arguments", "", "nothing was kept; call the tool again with narrower arguments", "未保存；请用更窄的参数再次调用该工具", "未儲存；請用更窄的參數再次呼叫該工具"},
	{"the rest could not be kept; call the tool again with narrower arguments", "", "the rest could not be kept; call the tool again with narrower arguments", "其余未能保存；请用更窄的参数再次调用该工具", "其餘未能儲存；請用更窄的參數再次呼叫該工具"},
	{"it is not text", "", "it is not text", "不是文本", "不是文字"},
	{"there is no tool here that reads the rest", "", "there is no tool here that reads the rest", "此处没有可读取其余内容的工具", "此處沒有可讀取其餘內容的工具"},
	{"everything was searched", "", "everything was searched", "已全部查找", "已全部查找"},
	{"the next call is too long to be told", "", "the next call is too long to be told", "下一次调用过长，无法写出", "下一次呼叫過長，無法寫出"},
	{"the tool's next call can't be encoded", "", "the tool's next call can't be encoded", "该工具的下一次调用无法编码", "該工具的下一次呼叫無法編碼"},

	// What a search looked at.
	{"scan.none", "", "Searched %[1]s for %[2]s: no match.", "已在%[1]s中查找%[2]s：无匹配。", "已在%[1]s中查找%[2]s：無符合。"},
	{"scan.none.short", "", "Searched %[1]s: no match.", "已查找%[1]s：无匹配。", "已查找%[1]s：無符合。"},
	{"scan.some", "", "Searched %[1]s for %[2]s: found %[3]s, %[4]v shown.", "已在%[1]s中查找%[2]s：匹配%[3]s处，显示%[4]v处。", "已在%[1]s中查找%[2]s：符合%[3]s處，顯示%[4]v處。"},
	{"scan.some.short", "", "Searched %[1]s: found %[2]s, %[3]v shown.", "已查找%[1]s：匹配%[2]s处，显示%[3]v处。", "已查找%[1]s：符合%[2]s處，顯示%[3]v處。"},
	{"scan.found", "", "Searched %[1]s for %[2]s: found %[3]s.", "已在%[1]s中查找%[2]s：匹配%[3]s处。", "已在%[1]s中查找%[2]s：符合%[3]s處。"},
	{"scan.found.short", "", "Searched %[1]s: found %[2]s.", "已查找%[1]s：匹配%[2]s处。", "已查找%[1]s：符合%[2]s處。"},
	{"scan.unknown", "", "an unknown number", "数目不明的", "數目不明的"},
	{"scan.unjudged", "", "%[1]s could not be judged.", "%[1]s无法判断。", "%[1]s無法判斷。"},
	{"scan.all", "", "all %[1]s", "全部%[1]s", "全部%[1]s"},

	// A failure.
	{"exit", "", "exit %[1]v", "退出码%[1]v", "結束碼%[1]v"},
	{"effect.none", "", "Nothing was done.", "未执行任何操作。", "未執行任何操作。"},
	{"effect.done", "", "It was done.", "操作已执行。", "操作已執行。"},
	{"effect.unknown", "", "Whether it was done is unknown: check first.", "是否已执行未知：请先核实。", "是否已執行未知：請先核實。"},
	{"retry.never", "", "Do not call it again.", "不要再次调用。", "不要再次呼叫。"},
	{"retry.after_change", "", "Call again only with a change.", "更改后才可再次调用。", "更改後才可再次呼叫。"},
	{"retry.later", "", "Calling again later may help.", "稍后再次调用可能成功。", "稍後再次呼叫可能成功。"},
	{"retry.wait", "Calling again after %[1]v second may help.", "Calling again after %[1]v seconds may help.", "%[1]v秒后再次调用可能成功。", "%[1]v秒後再次呼叫可能成功。"},
	{"handler.program", "", "The program handles this, not you: do not call again.", "由程序处理，请勿再次调用。", "由程式處理，請勿再次呼叫。"},
	{"handler.person", "", "A person must decide: do not call again, ask.", "需由人决定：请勿再次调用，请询问。", "需由人決定：請勿再次呼叫，請詢問。"},
	{"advice", "", "Next: %[1]s.", "下一步：%[1]s。", "下一步：%[1]s。"},

	// What the helpers (BadArgument, OutcomeUnknown, …) write into a Failure, recognised
	// and said in other languages. Of two that match, the first counts.
	{"fail.argument", "", "%[1]s: %[2]s is not valid", "%[1]s：%[2]s无效", "%[1]s：%[2]s無效"},
	{"fail.choose.some", "", "give %[1]s one of: %[2]s and %[3]s more", "%[1]s可取：%[2]s，另有%[3]s个", "%[1]s可取：%[2]s，另有%[3]s個"},
	{"fail.choose", "", "give %[1]s one of: %[2]s", "%[1]s可取：%[2]s", "%[1]s可取：%[2]s"},
	{"fail.outcome", "", "no answer: %[1]s may or may not have happened", "无应答：%[1]s可能已发生，也可能未发生", "無回應：%[1]s可能已發生，也可能未發生"},
	{"fail.outcome.next", "", "find out whether it happened before any further call", "再次调用前先查明是否已发生", "再次呼叫前先查明是否已發生"},
	{"fail.quota", "", "the quota for %[1]s is used up", "%[1]s的配额已用完", "%[1]s的配額已用完"},
	{"fail.expired.at", "", "%[1]s has expired at %[2]s", "%[1]s已于%[2]s过期", "%[1]s已於%[2]s過期"},
	{"fail.expired", "", "%[1]s has expired", "%[1]s已过期", "%[1]s已過期"},
	{"fail.unavailable", "", "%[1]s is not available now", "%[1]s目前不可用", "%[1]s目前不可用"},
	{"fail.timeout.next", "", "find out what was done before any further call; ask for less at once", "再次调用前先查明已执行的内容；每次少要一些", "再次呼叫前先查明已執行的內容；每次少要一些"},
	{"fail.timeout.read", "", "ask for less at once", "每次少要一些", "每次少要一些"},

	// What the tools of package clip/followup say most often, recognised in the same way.
	{"fail.gone", "", "there is no artifact of this name here", "这里没有这个名称的artifact", "這裡沒有這個名稱的artifact"},
	{"fail.gone.next", "", "check the 26 characters, or call the tool that gave the result again", "请核对这26个字符，或再次调用给出该结果的工具", "請核對這26個字元，或再次呼叫給出該結果的工具"},
	{"fail.gone.expired", "", "the artifact expired at %[1]s", "该artifact已于%[1]s过期", "該artifact已於%[1]s過期"},
	{"fail.gone.deleted", "", "the artifact was deleted at %[1]s", "该artifact已于%[1]s删除", "該artifact已於%[1]s刪除"},
	{"fail.damaged.at", "", "the kept copy is damaged in the block at byte %[1]s", "保存的副本在字节%[1]s处的块已损坏", "儲存的副本在位元組%[1]s處的區塊已損壞"},
	{"fail.damaged", "", "the kept copy is damaged", "保存的副本已损坏", "儲存的副本已損壞"},
	{"fail.again", "", "call the tool that gave the result again", "再次调用给出该结果的工具", "再次呼叫給出該結果的工具"},
	{"fail.later", "", "call again later; the artifact is not lost", "稍后再次调用；该artifact没有丢失", "稍後再次呼叫；該artifact沒有遺失"},
	{"fail.handle", "", "artifact: %[1]s is no artifact: one has 26 characters a-z and 2-7", "artifact：%[1]s不是artifact：应为26个字符a-z和2-7", "artifact：%[1]s不是artifact：應為26個字元a-z和2-7"},
	{"fail.handle.next", "", "copy the artifact from the notice of the result, all 26 characters of it", "请从结果的提示中照抄artifact，全部26个字符", "請從結果的提示中照抄artifact，全部26個字元"},
	{"fail.end.line", "", "line %[1]s is past the end: %[2]s lines in all", "line %[1]s超出末尾：共%[2]s行", "line %[1]s超出末尾：共%[2]s行"},
	{"fail.end.item", "", "item %[1]s is past the end: %[2]s items in all", "item %[1]s超出末尾：共%[2]s项", "item %[1]s超出末尾：共%[2]s項"},
	{"fail.end.byte", "", "byte %[1]s is past the end: %[2]s bytes in all", "byte %[1]s超出末尾：共%[2]s字节", "byte %[1]s超出末尾：共%[2]s位元組"},
	{"fail.end.line.in", "", "line %[1]s is past the end: %[2]s lines in all in %[3]s", "line %[1]s超出%[3]s的末尾：共%[2]s行", "line %[1]s超出%[3]s的末尾：共%[2]s行"},
	{"fail.end.item.in", "", "item %[1]s is past the end: %[2]s items in all in %[3]s", "item %[1]s超出%[3]s的末尾：共%[2]s项", "item %[1]s超出%[3]s的末尾：共%[2]s項"},
	{"fail.end.byte.in", "", "byte %[1]s is past the end: %[2]s bytes in all in %[3]s", "byte %[1]s超出%[3]s的末尾：共%[2]s字节", "byte %[1]s超出%[3]s的末尾：共%[2]s位元組"},
	{"fail.end.next", "", "that is the end: there is nothing more to read", "已到末尾：没有更多可读", "已到末尾：沒有更多可讀"},
	{"fail.nowhere", "", "there is nothing at pointer %[1]s", "pointer %[1]s处没有内容", "pointer %[1]s處沒有內容"},
	{"fail.nowhere.next", "", "read the artifact without a pointer to see what it has", "不带pointer读取该artifact，以查看其内容", "不帶pointer讀取該artifact，以查看其內容"},

	{"failed.short", "", "effect %[1]s, retry %[2]s", "effect %[1]s，retry %[2]s", "effect %[1]s，retry %[2]s"},

	// Several parts.
	{"part", "", "part %[1]v", "第%[1]v部分", "第%[1]v部分"},
	{"parts", "", "%[1]v of %[2]v parts not whole", "%[2]v个部分中%[1]v个不完整", "%[2]v個部分中%[1]v個不完整"},
	{"parts.all", "%[1]v part", "%[1]v parts", "%[1]v个部分", "%[1]v個部分"},
	{"parts.dropped", "%[1]v more part is not shown", "%[1]v more parts are not shown", "另有%[1]v个部分未显示", "另有%[1]v個部分未顯示"},
	{"typed", "", "%[1]s, %[2]v bytes, sha256 %[3]s, not in this text", "%[1]s，%[2]v字节，sha256 %[3]s，不在此文本中", "%[1]s，%[2]v位元組，sha256 %[3]s，不在此文字中"},
	{"not_text", "", "%[1]s is not text", "%[1]s不是文本", "%[1]s不是文字"},

	// A ledger's claim.
	{"claim", "", "Input: %[1]s", "输入：%[1]s", "輸入：%[1]s"},
}
