<?php
/**
 * Settings → Ghostlight.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Three things to paste, and whether it works.
 */
final class Ghostlight_Settings_Page {

	const SLUG       = 'ghostlight';
	const CAPABILITY = 'manage_options';
	/** Path of the test visit. */
	const TEST_PATH = '/ghostlight-test-visit';

	/**
	 * Called in wp-admin alone.
	 *
	 * @return void
	 */
	public static function register() {
		add_action( 'admin_menu', array( __CLASS__, 'add_page' ) );
		add_action( 'admin_init', array( __CLASS__, 'add_fields' ) );
		add_action( 'admin_post_ghostlight_test', array( __CLASS__, 'send_test' ) );
		add_action( 'admin_post_ghostlight_check', array( __CLASS__, 'check_caches' ) );
		add_action( 'admin_notices', array( __CLASS__, 'remind' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( GHOSTLIGHT_FILE ), array( __CLASS__, 'add_link' ) );
	}

	/**
	 * The entry in the menu.
	 *
	 * @return void
	 */
	public static function add_page() {
		add_options_page( __( 'Ghostlight', 'ghostlight' ), __( 'Ghostlight', 'ghostlight' ), self::CAPABILITY, self::SLUG, array( __CLASS__, 'render' ) );
	}

	/**
	 * The link in the list of plugins.
	 *
	 * @param string[] $links Of WordPress.
	 * @return string[]
	 */
	public static function add_link( $links ) {
		array_unshift( $links, '<a href="' . esc_url( self::url() ) . '">' . esc_html__( 'Settings', 'ghostlight' ) . '</a>' );
		return $links;
	}

	/**
	 * After activation nothing is reported until the page is filled in, and no crawler is verified until a proxy in front is described.
	 *
	 * @return void
	 */
	public static function remind() {
		$screen = get_current_screen();
		if ( null === $screen || ! in_array( $screen->id, array( 'plugins', 'dashboard' ), true ) || ! current_user_can( self::CAPABILITY ) ) {
			return;
		}
		$settings = Ghostlight_Settings::get();
		if ( ! $settings->is_complete() || '' === Ghostlight_Settings::key() ) {
			$state = __( 'Ghostlight reports nothing yet.', 'ghostlight' );
			$link  = __( 'Enter the address and the key of your Ghostlight service', 'ghostlight' );
		} elseif ( Ghostlight_Address::UNSAID === $settings->address_mode && array() !== Ghostlight_Address::forwarding( $_SERVER ) ) {
			$state = __( 'This site is behind a CDN or a proxy, and Ghostlight can’t tell real crawlers from fakes yet.', 'ghostlight' );
			$link  = __( 'Choose where visitors’ addresses are', 'ghostlight' );
		} else {
			return;
		}
		printf(
			'<div class="notice notice-info"><p>%s <a href="%s">%s</a></p></div>',
			esc_html( $state ),
			esc_url( self::url() ),
			esc_html( $link )
		);
	}

	/**
	 * Fields and what is accepted in them.
	 *
	 * @return void
	 */
	public static function add_fields() {
		register_setting(
			self::SLUG,
			Ghostlight_Settings::OPTION,
			array(
				'type'              => 'array',
				'sanitize_callback' => array( __CLASS__, 'sanitize' ),
				'show_in_rest'      => false,
			)
		);
		register_setting(
			self::SLUG,
			Ghostlight_Settings::SECRET,
			array(
				'type'              => 'array',
				'sanitize_callback' => array( __CLASS__, 'sanitize_key' ),
				'show_in_rest'      => false,
			)
		);
		if ( function_exists( 'wp_add_privacy_policy_content' ) ) {
			wp_add_privacy_policy_content( 'Ghostlight', wp_kses_post( wpautop( __( 'This site reports visits of AI crawlers, and of people who follow a link from an AI assistant, to a Ghostlight service that we run or have chosen. Of people it reports the page, campaign tags of its address, the browser’s user agent, and which assistant the link was in; it reports no address. Of two in a hundred other visits it reports the same with a shortened address. No cookie is set.', 'ghostlight' ) ) ) );
		}

		add_settings_section( 'ghostlight_service', __( 'Your Ghostlight service', 'ghostlight' ), array( __CLASS__, 'render_service_intro' ), self::SLUG );
		$fields = array(
			'url'            => __( 'Address of the service', 'ghostlight' ),
			'key'            => __( 'Ingest key', 'ghostlight' ),
			'attribution_id' => __( 'Attribution ID', 'ghostlight' ),
		);
		foreach ( $fields as $name => $label ) {
			add_settings_field( 'ghostlight_' . $name, $label, array( __CLASS__, 'render_' . $name ), self::SLUG, 'ghostlight_service', array( 'label_for' => 'ghostlight_' . $name ) );
		}
		add_settings_section( 'ghostlight_site', __( 'Your site', 'ghostlight' ), '__return_false', self::SLUG );
		add_settings_field( 'ghostlight_address', __( 'Where visitors’ addresses are', 'ghostlight' ), array( __CLASS__, 'render_address' ), self::SLUG, 'ghostlight_site' );
		add_settings_field( 'ghostlight_manifest', __( 'Tools for AI agents', 'ghostlight' ), array( __CLASS__, 'render_manifest' ), self::SLUG, 'ghostlight_site' );
	}

	/**
	 * Keeps of a form what can be used, and says what can't.
	 *
	 * @param mixed $input The form, or what is stored: WordPress calls this twice for a new option.
	 * @return array<string, mixed>
	 */
	public static function sanitize( $input ) {
		$input  = is_array( $input ) ? $input : array();
		$before = Ghostlight_Settings::from( get_option( Ghostlight_Settings::OPTION, array() ) );
		$after  = Ghostlight_Settings::from( $input );
		$given  = static function ( $name ) use ( $input ) {
			return isset( $input[ $name ] ) && is_string( $input[ $name ] ) ? trim( $input[ $name ] ) : '';
		};
		if ( '' === $after->url && '' !== $given( 'url' ) ) {
			$after->url = $before->url;
			self::complain( 'url', __( 'The address of the service is not one. It looks like https://ghostlight.example.com, and is in Ghostlight under Setup → WordPress.', 'ghostlight' ) );
		} elseif ( 0 === strpos( $after->url, 'http://' ) && ! self::is_near( $after->url ) ) {
			self::complain( 'http', __( 'The address of the service begins with http://. The key and the visits travel unencrypted. Use https://.', 'ghostlight' ), 'warning' );
		}
		if ( '' === $after->attribution_id && '' !== $given( 'attribution_id' ) ) {
			$after->attribution_id = $before->attribution_id;
			self::complain( 'attribution_id', __( 'The attribution ID is not one. It has 36 characters: digits, letters and four dashes.', 'ghostlight' ) );
		}
		if ( $after->to_array() !== $before->to_array() ) {
			Ghostlight_Sender::resume();
			delete_transient( Ghostlight_Caches::RESULT );
			// The list of another service may have more bots.
			wp_schedule_single_event( time(), 'ghostlight_lists' );
		}
		return $after->to_array();
	}

	/**
	 * Keeps the key that is there when none is entered: the field is always empty.
	 *
	 * @param mixed $input The field, or what is stored.
	 * @return array<string, string>
	 */
	public static function sanitize_key( $input ) {
		$stored = get_option( Ghostlight_Settings::SECRET, array() );
		$stored = is_array( $stored ) ? $stored : array();
		if ( is_array( $input ) ) {
			return isset( $input['key'] ) && is_string( $input['key'] ) && Ghostlight_Settings::is_key( $input['key'] ) ? array( 'key' => $input['key'] ) : array();
		}
		$key = is_string( $input ) ? trim( $input ) : '';
		if ( '' === $key ) {
			return $stored;
		}
		if ( 0 === strpos( $key, 'svc_wh_' ) ) {
			self::complain( 'key', __( 'This is a webhook key. Ghostlight for WordPress needs an ingest key, which begins with svc_cf_.', 'ghostlight' ) );
			return $stored;
		}
		if ( ! Ghostlight_Settings::is_key( $key ) ) {
			self::complain( 'key', __( 'This is not an ingest key. It begins with svc_cf_, and is shown once in Ghostlight when it is issued.', 'ghostlight' ) );
			return $stored;
		}
		Ghostlight_Sender::resume();
		return array( 'key' => $key );
	}

	/**
	 * The page.
	 *
	 * @return void
	 */
	public static function render() {
		if ( ! current_user_can( self::CAPABILITY ) ) {
			return;
		}
		echo '<div class="wrap"><h1>' . esc_html__( 'Ghostlight', 'ghostlight' ) . '</h1>';
		Ghostlight_Status_View::render();
		echo '<form action="options.php" method="post">';
		settings_fields( self::SLUG );
		do_settings_sections( self::SLUG );
		submit_button();
		echo '</form></div>';
	}

	/**
	 * Above the first fields.
	 *
	 * @return void
	 */
	public static function render_service_intro() {
		echo '<p>' . esc_html__( 'In Ghostlight, open Setup → WordPress. It shows the three values to paste here.', 'ghostlight' ) . '</p>';
	}

	/**
	 * A field.
	 *
	 * @return void
	 */
	public static function render_url() {
		self::text_field( 'url', 'url', Ghostlight_Settings::get()->url, 'https://ghostlight.example.com', defined( 'GHOSTLIGHT_URL' ) );
	}

	/**
	 * A field. The key itself is never printed.
	 *
	 * @return void
	 */
	public static function render_key() {
		$is_set = '' !== Ghostlight_Settings::key();
		printf(
			'<input type="password" class="regular-text code" id="ghostlight_key" name="%s" value="" autocomplete="new-password" spellcheck="false" placeholder="%s"%s>',
			esc_attr( Ghostlight_Settings::SECRET ),
			esc_attr( $is_set ? __( 'A key is stored', 'ghostlight' ) : 'svc_cf_…' ),
			disabled( Ghostlight_Settings::has_fixed_key(), true, false )
		);
		if ( Ghostlight_Settings::has_fixed_key() ) {
			self::describe( __( 'Set in wp-config.php.', 'ghostlight' ) );
		} elseif ( $is_set ) {
			self::describe( __( 'A key is stored. Leave this empty to keep it, or paste a new one to replace it.', 'ghostlight' ) );
		}
	}

	/**
	 * A field.
	 *
	 * @return void
	 */
	public static function render_attribution_id() {
		self::text_field( 'attribution_id', 'text', Ghostlight_Settings::get()->attribution_id, '00000000-0000-0000-0000-000000000000', defined( 'GHOSTLIGHT_ATTRIBUTION_ID' ) );
	}

	/**
	 * The choice of where addresses are, with what each would give for the reader.
	 *
	 * @return void
	 */
	public static function render_address() {
		$settings = Ghostlight_Settings::get();
		$name     = Ghostlight_Settings::OPTION;
		$yours    = static function ( $mode ) use ( $settings ) {
			$address = Ghostlight_Address::of_client( $_SERVER, $mode, $settings->proxies, $settings->header );
			/* translators: %s: an IP address */
			return '' === $address ? __( 'no address for you', 'ghostlight' ) : sprintf( __( 'your address: %s', 'ghostlight' ), $address );
		};
		$choices  = array(
			Ghostlight_Address::UNSAID  => __( 'Not chosen yet: the address of the connection, and none where a request shows a proxy', 'ghostlight' ),
			Ghostlight_Address::DIRECT  => __( 'Visitors reach this server directly', 'ghostlight' ),
			Ghostlight_Address::HEADER  => __( 'A CDN or proxy names the visitor in a header:', 'ghostlight' ),
			Ghostlight_Address::PROXIES => __( 'Proxies add to X-Forwarded-For. Number of proxies:', 'ghostlight' ),
		);
		self::render_advice( $settings->address_mode, Ghostlight_Address::forwarding( $_SERVER ) );
		echo '<fieldset><legend class="screen-reader-text">' . esc_html__( 'Where visitors’ addresses are', 'ghostlight' ) . '</legend>';
		foreach ( $choices as $mode => $label ) {
			printf(
				'<p><label><input type="radio" name="%s[address_mode]" value="%s"%s> %s</label> ',
				esc_attr( $name ),
				esc_attr( $mode ),
				checked( $settings->address_mode, $mode, false ),
				esc_html( $label )
			);
			if ( Ghostlight_Address::HEADER === $mode ) {
				printf( '<select name="%s[header]" aria-label="%s">', esc_attr( $name ), esc_attr__( 'Header', 'ghostlight' ) );
				foreach ( Ghostlight_Address::HEADERS as $header ) {
					printf( '<option%s>%s</option>', selected( $settings->header, $header, false ), esc_html( $header ) );
				}
				echo '</select> ';
			} elseif ( Ghostlight_Address::PROXIES === $mode ) {
				printf( '<input type="number" class="small-text" min="1" max="9" name="%s[proxies]" value="%d" aria-label="%s"> ', esc_attr( $name ), (int) $settings->proxies, esc_attr__( 'Number of proxies', 'ghostlight' ) );
			}
			printf( '<span class="description">(%s)</span></p>', esc_html( $yours( $mode ) ) );
		}
		echo '</fieldset>';
		self::describe( __( 'Choose the line with your real address; a page that shows “my IP address” tells it. By their addresses Ghostlight tells real crawlers from fakes. Choose a header only if your CDN or proxy sets it, because any visitor can send one.', 'ghostlight' ) );
	}

	/**
	 * What the choice means, as far as this request shows proxies.
	 *
	 * @param string   $mode A constant of Ghostlight_Address.
	 * @param string[] $seen Headers that show a proxy.
	 * @return void
	 */
	private static function render_advice( $mode, array $seen ) {
		$advice = '';
		if ( Ghostlight_Address::UNSAID === $mode && array() === $seen ) {
			$advice = __( 'Nothing is chosen yet. Your request shows no proxy. Such visits are reported with the address of their connection; visits that show a proxy are reported without an address. Any visitor can pretend to come through a proxy, so choose “directly” if there is none in front of this site.', 'ghostlight' );
		} elseif ( Ghostlight_Address::UNSAID === $mode ) {
			/* translators: %s: names of HTTP headers */
			$advice = __( 'Nothing is chosen yet, and your request came through a CDN or a proxy (%s). Until you choose, such visits are reported without an address, and their crawlers are unknown. Which line shows your real address?', 'ghostlight' );
		} elseif ( Ghostlight_Address::DIRECT === $mode && array() !== $seen ) {
			/* translators: %s: names of HTTP headers */
			$advice = __( '“Directly” is chosen, but your request came through a CDN or a proxy (%s). If that line does not show your real address, choose another one: genuine crawlers look like fakes otherwise.', 'ghostlight' );
		}
		if ( '' !== $advice ) {
			printf( '<div class="notice notice-%s inline"><p>%s</p></div>', array() === $seen ? 'info' : 'warning', esc_html( sprintf( $advice, implode( ', ', $seen ) ) ) );
		}
	}

	/**
	 * The switch of the manifest.
	 *
	 * @return void
	 */
	public static function render_manifest() {
		$settings = Ghostlight_Settings::get();
		printf(
			'<label><input type="checkbox" name="%s[serves_manifest]" value="1"%s> %s</label>',
			esc_attr( Ghostlight_Settings::OPTION ),
			checked( $settings->serves_manifest, true, false ),
			/* translators: %s: a path */
			esc_html( sprintf( __( 'Serve the signed WebMCP manifest at %s', 'ghostlight' ), Ghostlight_Manifest::PATH ) )
		);
		if ( $settings->serves_manifest && $settings->is_complete() ) {
			printf( ' <a href="%s">%s</a>', esc_url( home_url( Ghostlight_Manifest::PATH ) ), esc_html__( 'Open it', 'ghostlight' ) );
		}
		self::describe( __( 'Publish it in Ghostlight under WebMCP first. If you don’t use WebMCP, leave this off.', 'ghostlight' ) );
	}

	/**
	 * The button: sends a visit and says what became of it.
	 *
	 * @return void
	 */
	public static function send_test() {
		self::guard( 'ghostlight_test' );
		$settings = Ghostlight_Settings::get();
		if ( ! $settings->is_complete() ) {
			self::complain( 'test', __( 'Enter the address, the key and the attribution ID first, and save them.', 'ghostlight' ) );
			self::back();
		}
		$origin = Ghostlight_Url::origin( home_url() );
		$traits = Ghostlight_Visit::traits(
			array(
				'HTTP_HOST'       => null === $origin ? '' : $origin['host'],
				'REQUEST_METHOD'  => 'GET',
				'REQUEST_URI'     => self::TEST_PATH,
				'HTTP_USER_AGENT' => 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
			),
			''
		);
		$facts  = array(
			'at'     => (int) round( microtime( true ) * 1000 ),
			'status' => 200,
		);
		$result = Ghostlight_Sender::send_test( Ghostlight_Visit::line( $traits, Ghostlight_Judge::AI_BOT, $facts + Ghostlight_Reporter::facts( $settings ) ) );
		if ( 'taken' === $result['code'] ) {
			/* translators: %s: a path */
			self::complain( 'test', sprintf( __( 'Ghostlight has taken the test visit. Open Live in Ghostlight: a visit of GPTBot to %s is there. It comes from you and not from OpenAI, so it is not verified.', 'ghostlight' ), self::TEST_PATH ), 'success' );
		} else {
			/* translators: %s: a sentence that says what is wrong */
			self::complain( 'test', sprintf( __( 'The test visit was not taken. %s', 'ghostlight' ), Ghostlight_Status_View::sentence( $result ) ) );
		}
		if ( ! wp_next_scheduled( 'ghostlight_lists' ) ) {
			Ghostlight_Plugin::prepare();
		}
		self::back();
	}

	/**
	 * The button: looks for page caches.
	 *
	 * @return void
	 */
	public static function check_caches() {
		self::guard( 'ghostlight_check' );
		Ghostlight_Caches::check();
		self::back();
	}

	/**
	 * Refuses requests that no administrator has made.
	 *
	 * @param string $action Of the nonce.
	 * @return void
	 */
	private static function guard( $action ) {
		if ( ! current_user_can( self::CAPABILITY ) ) {
			wp_die( esc_html__( 'You may not do this.', 'ghostlight' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( $action );
	}

	/**
	 * Back to the page, which shows the messages.
	 *
	 * @return void
	 */
	private static function back() {
		set_transient( 'settings_errors', get_settings_errors(), 30 );
		wp_safe_redirect( add_query_arg( 'settings-updated', 'true', self::url() ) );
		exit;
	}

	/**
	 * Whether an address is on this machine, or in its network.
	 *
	 * @param string $url Of the service.
	 * @return bool
	 */
	private static function is_near( $url ) {
		$host = trim( (string) wp_parse_url( $url, PHP_URL_HOST ), '[]' );
		if ( null !== Ghostlight_Address::pack( $host ) ) {
			return false === filter_var( $host, FILTER_VALIDATE_IP, FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE );
		}
		return false === strpos( $host, '.' );
	}

	/**
	 * A message above the page. WordPress prints it as HTML, and a part of it may be the service's or the network's words.
	 *
	 * @param string $code     Of the message.
	 * @param string $sentence For people: text without markup.
	 * @param string $type     "error", "warning" or "success".
	 * @return void
	 */
	private static function complain( $code, $sentence, $type = 'error' ) {
		add_settings_error( self::SLUG, 'ghostlight_' . $code, esc_html( $sentence ), $type );
	}

	/**
	 * One line of text to enter.
	 *
	 * @param string $name        Of the setting.
	 * @param string $type        Of the field.
	 * @param string $value       As stored.
	 * @param string $placeholder What it looks like.
	 * @param bool   $is_fixed    Whether wp-config.php sets it.
	 * @return void
	 */
	private static function text_field( $name, $type, $value, $placeholder, $is_fixed ) {
		printf(
			'<input type="%s" class="regular-text code" id="ghostlight_%s" name="%s[%s]" value="%s" placeholder="%s" spellcheck="false"%s>',
			esc_attr( $type ),
			esc_attr( $name ),
			esc_attr( Ghostlight_Settings::OPTION ),
			esc_attr( $name ),
			esc_attr( $value ),
			esc_attr( $placeholder ),
			$is_fixed ? ' readonly' : ''
		);
		if ( $is_fixed ) {
			self::describe( __( 'Set in wp-config.php.', 'ghostlight' ) );
		}
	}

	/**
	 * A sentence below a field.
	 *
	 * @param string $sentence For people.
	 * @return void
	 */
	private static function describe( $sentence ) {
		echo '<p class="description">' . esc_html( $sentence ) . '</p>';
	}

	/**
	 * Address of the page.
	 *
	 * @return string
	 */
	public static function url() {
		return admin_url( 'options-general.php?page=' . self::SLUG );
	}
}
