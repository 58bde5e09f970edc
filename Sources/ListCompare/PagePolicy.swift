/// The Content-Security-Policy of pages that are files.
///
/// It is a second protection, should a text of a list ever be written as markup: a browser then
/// runs no script and loads nothing that the page did not have from the start.
package enum PagePolicy {
  /// Returns an element for the head of a page, before its style sheet.
  ///
  /// The page may have only the inline style sheet and the inline script with these hashes, such as
  /// `sha256-` and the hash in Base64.
  package static func element(styles: String, scripts: String? = nil) -> String {
    let script = scripts.map { "script-src '\($0)'; " } ?? ""
    return """
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \(script)\
      style-src '\(styles)'; base-uri 'none'; form-action 'none'">

      """
  }
}
