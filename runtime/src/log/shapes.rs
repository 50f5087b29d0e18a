//! What the logs must not show, and what they must: every shape of a secret, and everything that only looks like one.

use std::borrow::Cow;

use proptest::prelude::*;

use super::published_shapes::PUBLISHED;
use super::redact::redact;

const REDACTED: &str = "[redacted]";

/// Each text with what it must become.
const HIDDEN: &[(&str, &str)] = &[
    ("Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"),
    ("curl -H 'authorization: Basic dXNlcjpw' x", "curl -H 'authorization: Basic [redacted]' x"),
    ("-H \"Authorization: token abcdef\" url", "-H \"Authorization: token [redacted]\" url"),
    (r#"{"Authorization": "Bearer abc"}"#, r#"{"Authorization": "Bearer [redacted]"}"#),
    (r#"-H \"Authorization: Bearer abc\" x"#, r#"-H \"Authorization: Bearer [redacted]\" x"#),
    ("Authorization: abcdef", "Authorization: [redacted]"),
    ("Proxy-Authorization: Digest user=a, response=b\nHost: c", "Proxy-Authorization: Digest [redacted]\nHost: c"),
    ("sends Bearer 0123456789abcdef0 along", "sends Bearer [redacted] along"),
    ("mysql --password hunter -h db", "mysql --password [redacted] -h db"),
    ("curl -ume:hunter https://x", "curl -ume:[redacted] https://x"),
    ("smbclient //h/s -Ume%hunter -c ls", "smbclient //h/s -Ume%[redacted] -c ls"),
    ("podman login -u=me -p=hunter r", "podman login -u=me -p=[redacted] r"),
    ("gh secret set DEPLOY -b hunter -R a/b", "gh secret set DEPLOY -b [redacted] -R a/b"),
    ("gh secret set DEPLOY --body 'a b'", "gh secret set DEPLOY --body '[redacted]'"),
    ("echo hunter | sudo -S make install", "echo [redacted] | sudo -S make install"),
    ("echo 'root:hun ter' | sudo chpasswd", "echo '[redacted]' | sudo chpasswd"),
    (
        "echo -n \"hunter\"|docker login -u me --password-stdin",
        "echo -n \"[redacted]\"|docker login -u me --password-stdin",
    ),
    ("printf '%s' hunter | gh auth login --with-token", "printf '%s' [redacted] | gh auth login --with-token"),
    ("curl -H 'X-Auth-Token: AyCOzBubyRhIaPUNeW' x", "curl -H 'X-Auth-Token: [redacted]' x"),
    ("gh auth login --with-token <<< hunter", "gh auth login --with-token <<< [redacted]"),
    ("npm config set //r/:_authToken Eb1GCzd7htzEl0p12I", "npm config set //r/:_authToken [redacted]"),
    ("git clone https://ppuBLo57L8j6K5aAcc@github.com/o/r", "git clone https://[redacted]@github.com/o/r"),
    ("vcp_nc7d8YzGsOTGXABSzfOIINjr and", "[redacted] and"),
    ("snyk_uat.HKaNPkCw.UnOVj6ANRC3nf5giWhLUyw9BuYiprPfpJMMUM", "[redacted]"),
    ("curl -u me:hunter https://x", "curl -u me:[redacted] https://x"),
    ("mysql -u root -phunter shop", "mysql -u root -p[redacted] shop"),
    ("/usr/bin/mysqldump -p'hun ter' a", "/usr/bin/mysqldump -p'[redacted]' a"),
    ("sshpass -p hunter ssh a", "sshpass -p [redacted] ssh a"),
    ("ä; A=1 sshpass -phunter ssh a", "ä; A=1 sshpass -p[redacted] ssh a"),
    ("curl --user 'me:a b' x", "curl --user 'me:[redacted]' x"),
    ("curl --proxy-user=me:1234 x", "curl --proxy-user=me:[redacted] x"),
    ("gh --token=abc repo", "gh --token=[redacted] repo"),
    ("x --api-key 'a b c' y", "x --api-key '[redacted]' y"),
    ("GITHUB_TOKEN=abc make", "GITHUB_TOKEN=[redacted] make"),
    ("export DB_PASSWORD='it is \"me\"' x", "export DB_PASSWORD='[redacted]' x"),
    ("AWS_SECRET_ACCESS_KEY=a/b+c; ls", "AWS_SECRET_ACCESS_KEY=[redacted]; ls"),
    ("STRIPE_KEY=abc", "STRIPE_KEY=[redacted]"),
    ("https://x/?access_token=abc&page=2", "https://x/?access_token=[redacted]&page=2"),
    (r#"{"password": "a\"b", "user": "c"}"#, r#"{"password": "[redacted]", "user": "c"}"#),
    (r#"{\"password\": \"ab\", \"user\": \"c\"}"#, r#"{\"password\": \"[redacted]\", \"user\": \"c\"}"#),
    (r#"{"pin_secret":12345}"#, r#"{"pin_secret":[redacted]}"#),
    ("PRIVATE_KEY=\"-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\" x", "PRIVATE_KEY=\"[redacted]\" x"),
    ("curl -H Authorization:abcdef https://x", "curl -H Authorization:[redacted] https://x"),
    ("password = \"abc\"", "password = \"[redacted]\""),
    ("let apiKey := 'abc'", "let apiKey := '[redacted]'"),
    ("password: hunter2\nuser: a", "password: [redacted]\nuser: a"),
    ("postgres://me:pa:ss@db:5432/x", "postgres://me:[redacted]@db:5432/x"),
    ("key sk-proj-0123456789abcdefABCDEF ok", "key [redacted] ok"),
    ("(ghp_0123456789abcdefghij0123456789abcdef)", "([redacted])"),
    (r#""a\ngho_0123456789abcdefghij0123456789abcdef\n""#, r#""a\n[redacted]\n""#),
    ("github_pat_11ABCDEFG0123456789_abc", "[redacted]"),
    ("https://ghp_0123456789abcdefghij0123456789abcdef@github.com/a/b", "https://[redacted]@github.com/a/b"),
    ("xoxb-123456789012-abcdef", "[redacted]"),
    ("AKIAIOSFODNN7EXAMPLE.", "[redacted]."),
    ("AIzaSyA0123456789abcdefghijklmnopqrstuv", "[redacted]"),
    ("glpat-0123456789abcdefghij", "[redacted]"),
    ("//x/:_authToken=npm_0123456789abcdefghijklmnopqrstuvwxyz", "//x/:_authToken=[redacted]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[redacted]"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nx", "[redacted]\nx"),
    (r"a -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n", r"a [redacted]\n"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nMII", "[redacted]"),
    ("ünï PASSWORD=gehéim ☃", "ünï PASSWORD=[redacted] ☃"),
];

/// Secrets where people and programs write them: what stands between `«` and `»` is hidden, `§` is any long random text,
/// `#` one in hexadecimal. No secret is spelled out here, so that nobody takes one for real.
const SHAPES: &[&str] = &[
    // Tokens among other text.
    "export STRIPE=«sk_test_§»",
    "stripe listen --forward-to x «whsec_§»",
    "slack «xapp-1-A0-§» connects",
    "«SG.§.§»",
    "VAULT said «hvs.§».",
    "client «GOCSPX-§»,",
    "[«ya29.§»]",
    "https://x/?a=«glpat-§»&b=c",
    "a%3D«ghp_§»",
    "{\"k\":\"«npm_§»\"}",
    "see «dckr_pat_§» there",
    "«1//0§»",
    "ends with «dop_v1_#».",
    "«abc8Q~FakeFakeFakeFakeFakeFakeFakeFake12»",
    "«ABCDEFGHIJKLMN.atlasv1.§»",
    "«patABCDEFGHIJKLMN.#»",
    "mailchimp «fa1efa1efa1efa1efa1efa1efa1efa1e-us14» x",
    "https://api.telegram.org/«bot123456789:AAFakeFakeFakeFakeFakeFakeFake1234»/getMe",
    "«123456789:AAFakeFakeFakeFakeFakeFakeFake1234»",
    "«MTFakeFakeFakeFakeFakeFa.Fake12.FakeFakeFakeFakeFakeFakeFake12»",
    "«eyJGYWtlIjoxfQ.eyJGYWtlIjoyfQ.§»",
    // Behind commands that take a secret there, with an option or without.
    "vault login «hunter»; ls",
    "vault login -no-print '«hun ter»'",
    "cargo login «hunter»",
    "bw unlock «hunter» --raw",
    "rabbitmqctl add_user me «hunter»",
    "wpa_passphrase home «hunter»",
    "htpasswd -b users me «hunter»",
    "dotnet user-secrets set Db:Password «hunter»",
    "ConvertTo-SecureString \"«hunter»\" -AsPlainText -Force",
    "kinit me <<< «hunter»",
    "wrangler secret put NAME <<< '«hun ter»'",
    "echo «hunter» | pass insert -e x",
    "az keyvault secret set --name n --value «hunter»",
    "aws secretsmanager create-secret --name n --secret-string «hunter»",
    "aws ssm put-parameter --type SecureString --value «hunter»",
    "security add-generic-password -a me -s x -w «hunter»",
    "netlify deploy --auth «hunter»",
    "fly auth token -t «hunter»",
    "poetry publish -u me -p «hunter»",
    "mosquitto_pub -u me -P «hunter» -t x",
    // Names.
    "cmdkey /add:h /user:me /pass:«hunter»",
    "x /password:«hunter» /quiet",
    "x --pass=«hunter»",
    "os.environ['API_TOKEN']='«hunter»'",
    "process.env[\"DB_PASSWORD\"] = \"«hunter»\"",
    "passwort=«hunter»",
    "vault write auth/approle/login role_id=a secret_id=«fa1efa1e-fa1e-4a1e-8a1e-fa1efa1efa1e»",
    "PASSWORD='«$HUNTER»'",
    "PASSWORD=«$ecret»",
    // Addresses.
    "curl https://hooks.slack.com/services/«T00/B00/§»",
    "hooks.slack.com/workflows/«T00/§»",
    "https://hooks.slack.com/triggers/«E00/1/§» ",
    "https://discord.com/api/webhooks/«123/§»",
    "https://discordapp.com/api/webhooks/«123/§»?wait=true",
    "https://canary.discord.com/api/webhooks/«123/§»",
    "https://fake.webhook.office.com/webhookb2/«a@b/IncomingWebhook/c/d»",
    "https://outlook.office.com/webhook/«a@b»",
    "https://hooks.zapier.com/hooks/«catch/1/abc»",
    "https://x.blob.core.windows.net/c?sv=2022&sig=«§»&se=1",
    "https://s3/x?X-Amz-Signature=«#»&a=b",
    "https://s3/x?X-Amz-Security-Token=«§»",
    "https://storage/x?X-Goog-Signature=«#»",
    "https://«§»@example.com/x.git",
    "redis://:«hunter»@cache:6379",
    "mongodb+srv://me:«hunter»@x/y",
    "amqp://me:«hun%40ter»@mq",
    "https://x-access-token:«hunter»@github.com/a/b",
    "https://me:«hunter»@proxy:3128",
    "jdbc:mysql://h/db?user=a&password=«hunter»&x=1",
    "https://x/callback?code=1&client_secret=«hunter»",
    "https://x/?api_key=«hunter»",
    "https://x/?apikey=«hunter»&x",
    "https://x/?pwd=«hunter»&x",
    "https://x/?token=«hunter»&x",
    // Options of programs.
    "docker login -u me -p «hunter» registry.example.com",
    "echo x | docker login -p «hunter»",
    "podman login -p «hunter» x",
    "helm registry login x -p «hunter»",
    "az login --service-principal -u a -p «hunter» -t b",
    "oc login -u a -p «hunter»",
    "redis-cli -h a -a «hunter» ping",
    "redis-cli -a '«hun ter»' ping",
    "redis-benchmark -a «hunter»",
    "mongosh -u a -p «hunter» x",
    "mongo -p «hunter»",
    "mongodump -p «hunter» -d x",
    "sqlcmd -S x -U sa -P «hunter» -Q y",
    "sqlcmd -U sa -P«hunter»",
    "bcp x out y -P «hunter»",
    "cqlsh -u a -p «hunter»",
    "ldapsearch -x -D cn=a -w «hunter» -b x",
    "ldapmodify -w «hunter»",
    "http -a me:«hunter» example.com",
    "https --auth me:«hunter» example.com",
    "curl -b '«sid=hunter»' x",
    "keytool -list -storepass «hunter» -keypass «hunter»",
    "jarsigner -storepass «hunter» a.jar b",
    "plink -pw «hunter» host",
    "zip -r -P «hunter» a.zip b",
    "unzip -P «hunter» a.zip",
    "7z x -p«hunter» a.7z",
    "mariadb-dump -p«hunter» shop",
    "mysqladmin -u root -p\"«hun ter»\" status",
    "rabbitmqadmin -u a -p «hunter» list",
    "openssl rsa -in k -passin pass:«hunter» -out o",
    "openssl enc -pass pass:«hunter»",
    "gpg --batch --passphrase «hunter» -d x",
    "aws configure set aws_secret_access_key «§»",
    "npm config set //registry.example.com/:_authToken «§»",
    "redis-cli -h a --pass «hunter» ping",
    "openssl enc -aes-256-cbc -k «hunter» -in a",
    "ssh-keygen -t ed25519 -N '«hun ter»' -f k",
    "useradd -m -p «hunter» me",
    "twine upload -u me -p «hunter» dist/a",
    "doctl auth init -t «hunter»",
    "gitlab «glpat-hYQusDRpUkcmTbKoQfNz» without a digit",
    "gh secret set NAME --body «x» --token «hunter»",
    "vault write x --client-secret «hunter»",
    "svn co --username a --password «hunter» x",
    "wget --http-password=«hunter» x",
    "machine example.com login me password «hunter»",
    "curl -u 'me:«hun ter»' x",
    "curl --user me:«hunter» x",
    // Headers.
    "Authorization: Basic «§»",
    "with Basic «bWU6aHVudGVy» sent",
    "Authorization: ApiKey «§»",
    "X-Api-Key: «§»",
    "X-Vault-Token: «hvs.§»",
    "PRIVATE-TOKEN: «§»",
    "Cookie: «sid=hunter; theme=dark»",
    "-H 'Cookie: «session=hunter»' x",
    "Set-Cookie: «sid=hunter; HttpOnly»\nHost: x",
    "{\"Cookie\":\"«sid=hunter»\"}",
    "{\"headers\": {\"authorization\": \"Bearer «§»\"}}",
    // Files of settings.
    "{\"pwd\": \"«hunter»\"}",
    "{\"pass\":\"«hunter»\",\"user\":\"a\"}",
    "{\"passwd\":\"«hunter»\"}",
    "{\"auths\":{\"x\":{\"auth\":\"«bWU6aHVudGVy»\"}}}",
    "{\"identitytoken\":\"«»\"}",
    "_auth=«bWU6aHVudGVy»",
    "client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt§»",
    "  token: «§»",
    "Server=x;Uid=a;Pwd=«hunter»;Database=b",
    "Server=x;User Id=a;Password=«hunter»;",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«§»;EndpointSuffix=b",
    "Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=«§»",
    "<password>«hunter»</password>",
    "<apiKey>«hun ter»</apiKey>",
    "spring.datasource.password=«hunter»",
    "private_key: \"«»\"",
    "aws_session_token = «§»",
    "secret_key_base: «#»",
    "JWT=«§»",
    "DB_PASS=«hunter»",
    "\"clientSecret\" : \"«hunter»\"",
    "passphrase: '«hun ter»'",
    "psk=\"«hun ter»\"",
    // Texts within texts.
    r#"{\"password\":\"«hunter»\",\"a\":1}"#,
    r#"{\\\"password\\\":\\\"«hunter»\\\",\\\"a\\\":1}"#,
    r#"{\\\"password\\\":\\\"«hun\\\\\\\"ter»\\\"}"#,
    r#"{\\\\\\\"token\\\\\\\":\\\\\\\"«hunter»\\\\\\\"}"#,
    r#"{"command":"mysql -p«hunter»\nls -p x"}"#,
    r#"{"command":"curl -H \"Authorization: Bearer «§»\" x"}"#,
    r#"{"a":"{\"pwd\":\"«hunter»\"}"}"#,
    r#""x\n«xoxb-1-§»\ny""#,
    r#"{"password":"«hunter\\»","user":"a"}"#,
];

const KEPT: &[&str] = &[
    "",
    "token_count=3 max_tokens: 4096",
    "the token was0notRandom and git clone https://MaxMustermann85@x/r",
    "gh pr create --body 'what changed' -b main",
    "echo hello | grep -S x; sudo ls",
    "echo hello | sudo tee /etc/motd",
    "printf '%s' yes | passwd-check --stdin",
    "curl -u me https://x -utf8 y",
    "password: mustHaveOneCapital",
    "the token: expired, the password: must be longer",
    "task-key and disk-usage-by-team-2026-report",
    "sk-learn and sk-",
    "commit 3f2a9c1e77aa4a0e9c550123456789abcdef0123",
    "3f2a9c1e-77aa-4a0e-9c55-0123456789ab",
    "git log -p src && ssh -p 2222 host && mkdir -p a/b",
    "docker login --password-stdin registry.example.com",
    "docker run -u 1000:1000 image && git push -u origin main:main && wget --user me x",
    "pip -u https://example.com/a --user",
    "mysql -p shop; mkdir -parents a && ssh -p 22 b -p2222",
    "tool --token --verbose",
    "if token == next || password => x",
    "let token = lexer.next();",
    "bearer of bad news, a bearer",
    "the Authorization header",
    "https://example.com:8080/a@b?c=d:e@f",
    "ssh://git@github.com/a/b.git and git@github.com:a/b.git",
    "npm_config_registry and npm_lifecycle_event",
    "PWD=/home/me KEY_COUNT=3 KEYBOARD=de",
    "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----",
    "AKIA is a prefix, AKIAlower0123456789ab is none",
    "eyJ.a.b and file.tar.gz",
    "PASSWORD= \nnext",
    "Rust::token::Kind and secret::Name",
    r"C:\new\token\path",
    "docker run -p 8080:80 x && docker compose -p shop up && docker login registry.example.com",
    "gh auth login -p https && gh auth login -p ssh -w",
    "redis-cli -h a ping; tar -a x; ls -a",
    "zip -r a.zip b; cp -P a b; mysql -P 3306",
    "curl -b cookies.txt -c cookies.txt https://example.com",
    "curl -w '%{http_code}' https://example.com",
    r#"{"pwd":"/home/me/project","pass":12,"auth":"none"}"#,
    r#"{"pwd":"C:\\Users\\me"}"#,
    "pass=3 fail=0; pass: 12, pass=true",
    "https://example.com/?sig=abc&signature=short",
    "the signature: valid, auth: required",
    "a cookie: the best cake, cookies: none",
    "Basic authentication, basic understanding, Basic aGVsbG8gd29ybGQ=",
    "client-certificate-data: kept",
    "aGVsbG8gd29ybGQ= is base64 of something small",
    "1.95.0-nightly, v1.0-rc1, 2.47.3+build.5, node v22.11.0",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "index 587be6b4c3f93f93c489c0111bba5596147a26cb..b77b4eb",
    "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde-1.0.219/src/lib.rs",
    "the token src/parser/token_stream_v2.rs holds, and the secret https://example.com/2026/01",
    "https://discord.com/developers/docs and https://hooks.slack.com/ and https://discord.com/channels/1/2",
    "https://example.com/@user/posts and mailto:me@example.com",
    "👍🏽 emoji 🦀 and ünïcödé stay, 中文也一样",
    "SKIP_TESTS, SK and key-value, api_org_chart, secret_santa",
    "password reset, token count 12345, secret sauce",
    "glpat-helpers-for-gitlab-projects and tskey-someCamelCaseNameThatIsLong and xapp-TheSlackHTTPClient",
    "ssh-keygen -l -f k; useradd -m me; twine check dist/a; doctl compute list -o json; openssl version",
    "hf_hub_download and sk-SK and pat.match and dp.state",
    "test result: ok. 41 passed; 0 failed; finished in 3.75s",
    "<token>, <Password></Password> and Vec<Token>",
    "machine learning needs no password here",
    "100%25 of it",
    "re_export_all_the_things_2_times and s.performanceObserver01 and tk_inter, fw_update, ptr_to_member, cio",
    "t1.join(t2) and access-sandbox-of-ours and vck_ and waka_time, SSHPASS and BUNDLE_WITHOUT=test",
    "curl --cert client.pem --key client.key x; lftp -u me host; smbclient -U me //h/s; ipmitool -H h -U me",
    "https://ifttt.com/trigger/x and subscription: monthly",
    "export TOKEN=$(cat token.txt)",
    "PASSWORD=\"$DB_PASS\" ./run.sh",
    "docker run -e PASSWORD=${PASSWORD} x",
    "mysql --password \"$MYSQL_PASSWORD\" shop",
    "cargo login && cargo publish",
    "vault login -method=oidc",
    "vault login $VAULT_TOKEN",
    "docker run -v /secret:/run/secret x",
    "wpa_passphrase home",
    "kinit me < keytab",
    "x --pass=3",
];

#[test]
fn secrets_are_hidden_and_the_text_around_them_stays() {
    for (text, expected) in HIDDEN {
        assert_eq!(redact(text), *expected, "{text}");
    }
}

#[test]
fn every_shape_is_hidden_and_nothing_else() {
    assert!(SHAPES.len() + HIDDEN.len() > 150);
    let mut wrong = Vec::new();
    for shape in SHAPES.iter().chain(PUBLISHED) {
        let (text, expected) = spelled(shape);
        let twice = redact(&expected);
        if redact(&text) != expected || twice != expected {
            wrong.push(format!("{shape}\n  once:  {}\n  twice: {twice}", redact(&text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text with its secrets, and the text without them.
fn spelled(shape: &str) -> (String, String) {
    let filled = shape.replace('§', &"Fake0".repeat(13)).replace('#', &"fa1e".repeat(16)).replace("«»", "«hunter»");
    let mut hidden = String::new();
    for (position, part) in filled.split(['«', '»']).enumerate() {
        hidden.push_str(if position % 2 == 0 { part } else { REDACTED });
    }
    (filled.replace(['«', '»'], ""), hidden)
}

#[test]
fn look_alikes_stay_and_cost_no_copy() {
    let changed = |text: &&&str| !matches!(redact(text), Cow::Borrowed(same) if same == **text);
    let wrong: Vec<_> = KEPT.iter().filter(changed).map(|text| redact(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn several_secrets_in_one_text_are_all_hidden() {
    let text = "A_TOKEN=one B_TOKEN=two curl --password three https://u:four@h";
    assert_eq!(redact(text), "A_TOKEN=[redacted] B_TOKEN=[redacted] curl --password [redacted] https://u:[redacted]@h");
}

#[test]
fn what_is_redacted_stays_as_it_is_the_second_time() {
    for (text, _) in HIDDEN {
        let once = redact(text);
        assert_eq!(redact(&once), once, "{text}");
    }
}

#[test]
fn hostile_text_takes_no_longer_than_its_length_asks() {
    let units = [
        "-p ",
        "token=\"",
        "password: ",
        "password:",
        "-----BEGIN ",
        "://a:",
        "://a@",
        "\\u0",
        "Authorization: x ",
        "a-",
        "Authorization:[redacted",
        "eyJ.",
        "\\",
        "\\\"",
        "-u=",
        "cookie:",
        "pwd\":\"",
        "sig=",
        "auth:",
        "whsec_/",
        "<password>",
        "mysql -p ",
        "bearer ",
        "basic ",
        "token a1",
        "12345678:AA",
        "a ",
        "\"a\":",
    ];
    for unit in units {
        let text = unit.repeat((256 << 10) / unit.len());
        let began = std::time::Instant::now();
        let _ = redact(&text);
        assert!(began.elapsed() < std::time::Duration::from_secs(20), "{unit:?}: {:?}", began.elapsed());
    }
}

proptest! {
    #[test]
    fn any_text_is_scanned_without_a_slip(text in r#"(password|--token|Bearer|://|-----BEGIN |[=:"'\\ @é🦀\n]|[a-z0-9]){0,40}"#) {
        let redacted = redact(&text);
        if !redacted.contains(REDACTED) {
            prop_assert_eq!(redacted.as_ref(), text.as_str());
        }
    }
}
